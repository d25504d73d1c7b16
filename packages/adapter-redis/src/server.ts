import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { Hash } from './record.ts';

/** Asks one server something; what is sent first is sent at once. */
export type Send<T> = (client: Redis) => Promise<T>;

/** Asks one server. */
export type CallNode = <T>(send: Send<T>, deadline: Deadline) => Promise<T>;

/** The servers whose keys are scanned, one after the other. */
export interface Scanned {
  /** Changes if a key may be at another server than before. */
  readonly topology: string;
  readonly servers: readonly CallNode[];
}

/** One Redis, or a Cluster that looks like one. */
export interface Server {
  /** Ask the server that holds the key. What may have been carried out is not sent twice. */
  call<T>(key: string, send: Send<T>, deadline: Deadline): Promise<T>;
  /** The hashes of any number of keys, in one round trip; empty where there is none. */
  hashes(keys: readonly string[], deadline: Deadline): Promise<readonly Hash[]>;
  /** The servers that hold keys, in an order that stays. */
  scanned(deadline: Deadline): Promise<Scanned>;
  /** Ask every server that holds keys. */
  callEach(send: Send<unknown>, deadline: Deadline): Promise<void>;
  /** Resolves when each of them answers and is fit for use. */
  check(deadline: Deadline): Promise<void>;
  close(): Promise<void>;
}
