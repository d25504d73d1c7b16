import type { Carnet } from '@carnet/provider';
import { overLimit, type RequestLimits } from '../limits/request-limits.ts';
import type { Turns } from '../limits/turns.ts';
import type { Pool } from '../opening/pool.ts';
import { after, type Eventually, type Held, type Issuer, type IssuerSource } from '../ports.ts';
import type { RequestAddress } from '../routing/request-address.ts';
import { isOwnPath } from '../routing/route-table.ts';

export interface ListenerDependencies {
  readonly source: IssuerSource;
  /** The provider of the first issuer: it is always open, and answers what is for no other one. */
  readonly first: Carnet;
  readonly pool: Pick<Pool, 'hold'>;
  readonly mayPass: RequestLimits;
  readonly begin: Turns;
}

/** Calls `next` with a value as soon as it is known: at once, if possible. An error is passed to `fail`. */
export const whenKnown = <T>(
  get: () => Eventually<T>,
  next: (value: T) => void,
  fail: (error: unknown) => void,
): void => {
  let value: Eventually<T>;
  try {
    value = get();
  } catch (error) {
    fail(error);
    return;
  }
  if (value instanceof Promise) value.then(next, fail);
  else next(value);
};

/** The provider of an issuer, which stays open until it is released. @throws CarnetError `too_busy` */
export const holdIssuer = (
  { first, pool }: Pick<ListenerDependencies, 'first' | 'pool'>,
  issuer: Issuer,
): Eventually<Held> => (issuer.name === undefined ? { carnet: first, release: () => {} } : pool.hold(issuer));

/** The same, with a function that is called when it is released, or could not be opened. */
const holdUntil = (deps: ListenerDependencies, issuer: Issuer, end: () => void): Eventually<Held> => {
  const held = ({ carnet, release }: Held): Held => ({
    carnet,
    release() {
      release();
      end();
    },
  });
  const fail = (error: unknown): never => {
    end();
    throw error;
  };
  try {
    const found = holdIssuer(deps, issuer);
    return found instanceof Promise ? found.then(held, fail) : held(found);
  } catch (error) {
    return fail(error);
  }
};

/**
 * The provider that answers a request to an endpoint; undefined: the request is for no issuer, or for no endpoint of it.
 *
 * @throws CarnetError `too_many_attempts`, `too_busy`
 */
export const selectIssuer = (deps: ListenerDependencies, address: RequestAddress): Eventually<Held | undefined> =>
  after(deps.source.at(address), (issuer) => {
    if (issuer === undefined || !isOwnPath(issuer, address.path)) return undefined;
    if (!deps.mayPass(issuer, 'public')) throw overLimit();
    return after(deps.begin(issuer), (end) => holdUntil(deps, issuer, end));
  });
