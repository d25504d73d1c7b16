import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { Hash } from './record.ts';

/** Asks one server something; what is sent first is sent at once. */
export type Send<T> = (client: Redis) => Promise<T>;

/** One Redis, or a Cluster that looks like one. */
export interface Server {
  /** Ask the server that holds the key. What may have been carried out is not sent twice. */
  call<T>(key: string, send: Send<T>, deadline: Deadline): Promise<T>;
  /** The hashes of any number of keys, in one round trip; empty where there is none. */
  hashes(keys: readonly string[], deadline: Deadline): Promise<readonly Hash[]>;
  /** Ask every server that holds keys. */
  callEach(send: Send<unknown>, deadline: Deadline): Promise<void>;
  /** Resolves when each of them answers and is fit for use. */
  check(deadline: Deadline): Promise<void>;
  close(): Promise<void>;
}
