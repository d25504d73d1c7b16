import type { IncomingMessage } from 'node:http';
import type { StorageAdapter } from '@carnet/adapter-contract';
import { Provider } from 'oidc-provider';
import { CarnetError } from '../errors.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { HeldGrant } from '../grants/grant-record.ts';
import type { NextStep } from '../interaction/challenges.ts';
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts';

/** The state of one request to the public listener, in addition to the context of oidc-provider. */
export interface RequestState {
  readonly uow: UnitOfWork;
  readonly cookieHeader: string | undefined;
  readonly message: IncomingMessage;
  /** The `Set-Cookie` lines of the response. */
  readonly cookies: string[];
  /** The flow whose response oidc-provider forms. */
  flow?: FlowState;
  /** Set when a flow has begun with this request. */
  next?: NextStep;
  /** The claims of the request object (RFC 9101), or of the pushed request that the parameters came in. */
  requestObject?: Readonly<Record<string, unknown>>;
  /** The pushed request that the browser brings (RFC 9126). */
  pushed?: { readonly id: string; readonly isAuthenticated: boolean };
  /**
   * The authorization request names no `redirect_uri`, because its client has registered only one (RFC 6749, section
   * 3.1.2.3).
   */
  redirectUriOmitted?: boolean;
  /** The parameters that Carnet does not know. */
  extra?: FlowState['extra'];
  /** The grant of the tokens of this request. It is written at the end, with the latest expiry of the tokens. */
  grant?: Omit<HeldGrant, 'expiresAt'> & { expiresAt: number };
  /** The access token's value, for `at_hash`. */
  accessToken?: string;
  /** Whether oidc-provider sends a successful authorization response. */
  isAuthorized?: boolean;
  /** Called after the commit, for audit records and notifications. Not called if the commit fails. */
  onCommitted?: () => void;
  /** The failure of the store or of a bounded queue. oidc-provider may have turned it into another error. */
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

const createRequestState = (
  adapter: Pick<StorageAdapter, 'read' | 'commit'>,
  message: IncomingMessage,
): RequestState => {
  const uow = createUnitOfWork({
    read: (keys) => rememberFailure(state, () => adapter.read(keys)),
    commit: (writes) => adapter.commit(writes),
  });
  const state: RequestState = { uow, cookieHeader: message.headers.cookie, message, cookies: [] };
  return state;
};

export const attachState = (
  ctx: { readonly req: IncomingMessage },
  adapter: Pick<StorageAdapter, 'read' | 'commit'>,
): RequestState => {
  const state = createRequestState(adapter, ctx.req);
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

/** The id of the request in the response (`X-Request-Id`) and in the log. */
export const requestIdOf = (ctx: { readonly res: { getHeader(name: string): unknown } }): string =>
  String(ctx.res.getHeader('x-request-id') ?? '');
