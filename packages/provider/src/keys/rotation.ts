import { CarnetError } from '../errors.ts';
import { generateSigningJwk } from './generate-jwk.ts';
import type { Jwk } from './jwk-schema.ts';
import { dueSuccessor, type KeyInState, type Schedule, statesAt } from './rotation-schedule.ts';
import type { SigningAlgorithm } from './signer.ts';
import type { NewKey, StoredKey, StoredKeys } from './stored-keys.ts';

export interface RotationOptions {
  readonly stored: StoredKeys;
  readonly schedule: Schedule;
  /** The algorithms that need a key. */
  readonly algorithms: readonly SigningAlgorithm[];
  /** Seconds until every process has read a new key. */
  readonly spreadSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
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

type State = KeyInState<StoredKey>;

/** Rotates the signing keys in the store. Several processes may call it at once. */
export interface Rotation {
  /** Every key with its current state. */
  states(): Promise<readonly State[]>;
  /** Creates keys that are due and deletes keys past their time. Then returns the same as `states`. */
  advance(): Promise<readonly State[]>;
  /** Creates a key for an algorithm ahead of the schedule. @throws CarnetError `conflict` if a key has that kid */
  rotate(alg: SigningAlgorithm, options?: RotateOptions): Promise<StoredKey>;
  /**
   * Removes a key. Returns whether it existed. @throws CarnetError `conflict` if it signs for a configured algorithm
   */
  remove(kid: string): Promise<boolean>;
}

/** If other processes were faster this often, there is another problem. */
const mostAttempts = 5;

const conflict = (problem: string): CarnetError => new CarnetError('conflict', problem);

const ofAlgorithm = (keys: readonly StoredKey[], alg: SigningAlgorithm) => keys.filter((key) => key.alg === alg);

export const createRotation = ({ stored, schedule, algorithms, spreadSeconds, now }: RotationOptions): Rotation => {
  const statesOf = (keys: readonly StoredKey[]): readonly State[] => statesAt(keys, now(), schedule);
  const states = async () => statesOf(await stored.load());

  /** Whether a key was created, by this process or by a faster one. */
  const makeDue = async (keys: readonly StoredKey[]): Promise<boolean> => {
    const due = algorithms.flatMap((alg) => {
      const successor = dueSuccessor(ofAlgorithm(keys, alg), now(), schedule);
      return successor === undefined ? [] : [{ alg, ...successor }];
    });
    for (const each of due) await stored.claim({ ...each, jwk: await generateSigningJwk(each.alg) });
    return due.length > 0;
  };

  const claimNewest = async (alg: SigningAlgorithm, options: RotateOptions): Promise<NewKey> => {
    const { soon = false, kid } = options;
    const jwk = options.jwk ?? (await generateSigningJwk(alg, kid));
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const keys = await stored.load();
      if (keys.some((key) => key.kid === jwk.kid)) {
        throw conflict('There is a signing key with this kid.');
      }
      const older = ofAlgorithm(keys, alg);
      const generation = 1 + Math.max(0, ...older.map((key) => key.generation));
      const announcedSeconds = soon ? spreadSeconds : schedule.announcedSeconds;
      const activeAt = now() + (older.length === 0 ? 0 : announcedSeconds) * 1000;
      const key = { alg, generation, activeAt, jwk };
      if (await stored.claim(key)) return key;
    }
    throw conflict('The keys are being changed by another process. Try again.');
  };

  return {
    states,
    async advance() {
      const before = await stored.load();
      const keys = (await makeDue(before)) ? await stored.load() : before;
      const all = statesOf(keys);
      await stored.remove(all.filter(({ state }) => state === 'gone').map(({ key }) => key));
      return all.filter(({ state }) => state !== 'gone');
    },
    async rotate(alg, options = {}) {
      const { generation, jwk } = await claimNewest(alg, options);
      const keys = ofAlgorithm(await stored.load(), alg);
      if (options.drop) await stored.remove(keys.filter((key) => key.generation < generation));
      return keys.find(({ kid }) => kid === jwk.kid) as StoredKey;
    },
    async remove(kid) {
      const found = (await states()).find(({ key }) => key.kid === kid);
      if (found === undefined) return false;
      // An algorithm that is no longer configured keeps its last key until it is deleted.
      if (found.state === 'active' && algorithms.includes(found.key.alg)) {
        throw conflict('This key signs. Generate a new key first, and delete this one when it is retired.');
      }
      await stored.remove([found.key]);
      return true;
    },
  };
};
