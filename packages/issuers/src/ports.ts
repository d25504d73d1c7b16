import type { Carnet } from '@carnet/provider';
import type { Config } from '@carnet/provider/config';
import type { Limits } from './config/schema.ts';
import type { RequestAddress } from './routing/request-address.ts';

/** One issuer of the installation. A change of its settings makes another object. */
export interface Issuer {
  /** Undefined: the first issuer, which the top level of the configuration describes. */
  readonly name: string | undefined;
  readonly config: Config;
  readonly limits: Limits;
}

/** A provider that stays open until it is released. */
export interface Held {
  readonly carnet: Carnet;
  readonly release: () => void;
}

/** A value, or the promise of one: what is known already is used without waiting. */
export type Eventually<T> = T | Promise<T>;

/** Calls `next` with a value: at once, if it is known. */
export const after = <T, U>(value: Eventually<T>, next: (value: T) => Eventually<U>): Eventually<U> =>
  value instanceof Promise ? value.then(next) : next(value);

/** How the issuers of the installation are found. Undefined: there is none. */
export interface IssuerSource {
  at(address: RequestAddress): Eventually<Issuer | undefined>;
  named(name: string): Eventually<Issuer | undefined>;
}
