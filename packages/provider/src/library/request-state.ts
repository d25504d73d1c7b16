import type { StorageAdapter } from '@carnet/adapter-contract';
import { Provider } from 'oidc-provider';
import { CarnetError } from '../errors.ts';
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts';

/** The state of one question to oidc-provider, in addition to its context. */
export interface RequestState {
  readonly uow: UnitOfWork;
  /** The claims of the request object (RFC 9101), once it has passed all checks. */
  requestObject?: Readonly<Record<string, unknown>>;
  /** The failure of the store or of another server. oidc-provider may have turned it into another error. */
  failure?: CarnetError;
}

const states = new WeakMap<object, RequestState>();

/** Runs a call whose CarnetError decides the response, even if oidc-provider turns it into another error. */
export const rememberFailure = async <T>(state: RequestState, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CarnetError) state.failure = error;
    throw error;
  }
};

export const attachState = (ctx: object, adapter: Pick<StorageAdapter, 'read' | 'commit'>): RequestState => {
  const uow = createUnitOfWork({
    read: (keys) => rememberFailure(state, () => adapter.read(keys)),
    commit: (writes) => adapter.commit(writes),
  });
  const state: RequestState = { uow };
  states.set(ctx, state);
  return state;
};

/** The state of a given request. */
export const stateOf = (ctx: object): RequestState => {
  const state = states.get(ctx);
  if (state === undefined) throw new CarnetError('server_error', 'request without a unit of work');
  return state;
};

/** The state of the request oidc-provider is working on. */
export const currentState = (): RequestState => {
  const { ctx } = Provider;
  if (ctx === undefined) throw new CarnetError('server_error', 'no request is being worked on');
  return stateOf(ctx);
};
