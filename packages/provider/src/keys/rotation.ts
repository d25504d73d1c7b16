import type { Clock } from '../clock.ts';
import type { Jwk } from './jwk-schema.ts';
import type { RemoteKeys } from './remote/remote-keys.ts';
import type { KeyInState, Schedule } from './rotation-schedule.ts';
import type { SigningAlgorithm } from './signer.ts';
import type { StoredKey, StoredKeys } from './stored-keys.ts';

export interface RotationOptions extends Clock {
  readonly stored: StoredKeys;
  readonly schedule: Schedule;
  /** The algorithms that need a key. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** The keys of the services. Undefined: there are no services, or this program only lists the keys. */
  readonly remoteKeys?: Pick<RemoteKeys, 'listed' | 'canSign' | 'chosen'>;
  /** Whether new keys are those that the services list. Otherwise they are generated. */
  readonly isExternal: boolean;
  /** Seconds until every process has read a new key. */
  readonly spreadSeconds: number;
}

export interface RotateOptions {
  /** Activate the new key as soon as every process knows it, instead of after `announced`. */
  readonly soon?: boolean;
  /** Remove the older keys of the algorithm, because they leaked: their signatures no longer verify. */
  readonly drop?: boolean;
  readonly kid?: string;
  /** A private key to import instead of generating one. */
  readonly jwk?: Jwk;
}

export type KeyWithState = KeyInState<StoredKey>;

/** Rotates the signing keys in the store. Several processes may call it at once. */
export interface Rotation {
  /** Every key with its current state. */
  states(): Promise<readonly KeyWithState[]>;
  /** Creates keys that are due and deletes keys past their time. Returns the keys to publish, with their states. */
  advance(): Promise<readonly KeyWithState[]>;
  /**
   * Creates a key for an algorithm ahead of the schedule. Of keys that services hold, lets the newest announced one sign.
   *
   * @throws CarnetError `conflict` if a key has that kid, or no key of a service is announced
   */
  rotate(alg: SigningAlgorithm, options?: RotateOptions): Promise<StoredKey>;
  /**
   * Removes a key. Returns whether it existed. @throws CarnetError `conflict` if it signs for a configured algorithm, or its
   * service lists it
   */
  remove(kid: string): Promise<boolean>;
}
