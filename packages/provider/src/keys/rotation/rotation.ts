import { clockSkewSeconds } from '../../clock.ts';
import { CarnetError, ConfigError } from '../../errors.ts';
import type { KeysConfig } from '../config.ts';
import { createFindReturned, isNamed, listedDue } from '../remote/claim-listed.ts';
import type { RemoteKeys } from '../remote/remote-keys.ts';
import type { RemoteSigning } from '../remote/remote-signing.ts';
import { generateJwk } from '../sets/generate-jwk.ts';
import type { Jwk } from '../sets/jwk-schema.ts';
import type { SigningAlgorithm } from '../signing/signer.ts';
import {
  createStoredKeys,
  type NewKey,
  type StoredKey,
  type StoredKeys,
  type StoredKeysDependencies,
} from '../sources/stored-keys.ts';
import { dueSuccessor, jwksMaxAgeSeconds, type KeyInState, newestOf, type Schedule, statesAt } from './schedule.ts';

export interface RotationDependencies extends Omit<StoredKeysDependencies, 'toSigner'> {
  readonly config: KeysConfig;
}

interface RotationOptions extends Pick<RotationDependencies, 'config' | 'now'> {
  readonly stored: StoredKeys;
  /** The keys of the services. Undefined: there are no services, or this program only lists the keys. */
  readonly remoteKeys?: Pick<RemoteKeys, 'listed' | 'canSign' | 'isChosen'>;
}

/** Whether new keys are those that the services list. Otherwise they are generated. */
const isExternal = ({ source }: KeysConfig): boolean => source === 'external';

const scheduleOf = ({ announced, active, retired }: KeysConfig): Schedule => ({
  announcedSeconds: announced,
  activeSeconds: active,
  // A process whose clock is slow signs with a key that others have already retired.
  retiredSeconds: retired + clockSkewSeconds,
});

/** Up to a quarter of the interval is added at random, so that processes do not poll at the same time. */
export const jitter = 0.25;
/** A tolerance for clocks that differ and for the duration of a poll. */
const slackSeconds = clockSkewSeconds + 15;

/** Milliseconds until every process has read a new key, and cached copies of the previous JWKS have expired. */
const spreadMs = ({ pollSeconds }: KeysConfig): number =>
  (pollSeconds * (1 + jitter) + slackSeconds + jwksMaxAgeSeconds) * 1000;

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

const ofAlgorithm = (keys: readonly StoredKey[], alg: SigningAlgorithm) => keys.filter((key) => key.alg === alg);

/**
 * The keys that must be stored now, given those in the store: generated, or listed by the services.
 *
 * @throws ConfigError if a service holds the key that signs, and no service is configured
 */
const createDueKeys = (options: RotationOptions): ((keys: readonly StoredKey[]) => Promise<readonly NewKey[]>) => {
  const { config, remoteKeys, now } = options;
  const schedule = scheduleOf(config);

  const successorOf = (keys: readonly StoredKey[]): ReturnType<typeof dueSuccessor> => {
    const { generation, alg, remote } = newestOf(keys) ?? {};
    if (generation === undefined || remote === undefined) return dueSuccessor(keys, now(), schedule);
    // The keys move from the service into the store.
    if (remoteKeys !== undefined)
      return { generation: generation + 1, activeAt: now() + schedule.announcedSeconds * 1000 };
    throw new ConfigError([
      `keys.source: is store, but the ${alg} key that signs is held by ${remote.service} (${remote.handle}). Set keys.signer (SIGNER) as well, until a key of the store signs; or, if that service is lost, run \`carnet keys rotate --now --drop\`.`,
    ]);
  };

  const generated = async (keys: readonly StoredKey[]): Promise<readonly NewKey[]> => {
    const due = config.algorithms.flatMap((alg) => {
      const successor = successorOf(ofAlgorithm(keys, alg));
      return successor === undefined ? [] : [{ alg, ...successor }];
    });
    return Promise.all(due.map(async (each) => ({ ...each, jwk: await generateJwk(each.alg) })));
  };

  const listed = async (keys: readonly StoredKey[]): Promise<readonly NewKey[]> => {
    const all = remoteKeys?.listed() ?? [];
    return config.algorithms.flatMap((alg) => {
      const ofServices = all.filter((key) => key.alg === alg);
      return listedDue(ofAlgorithm(keys, alg), ofServices, now(), schedule);
    });
  };

  return isExternal(config) ? listed : generated;
};

const conflict = (problem: string): CarnetError => new CarnetError('conflict', problem);

/** If other processes were faster this often, there is another problem. */
const mostAttempts = 5;

const newAtService = (alg: SigningAlgorithm): string =>
  `No version of an ${alg} key is announced. Create one at the service: Carnet announces it within keys.pollSeconds.`;

const dropAtService =
  'A service holds the signing keys. Disable the version that leaked there: another version then signs at once. Then delete its public key with DELETE /admin/keys/hydra.openid.id-token/{kid}.';

/** Rotation ahead of the schedule. */
const createRotateKey = (
  { stored, config, now }: RotationOptions,
  states: () => Promise<readonly KeyWithState[]>,
): Rotation['rotate'] => {
  const claimNewest = async (alg: SigningAlgorithm, options: RotateOptions): Promise<NewKey> => {
    const { soon = false, kid } = options;
    const jwk = options.jwk ?? (await generateJwk(alg, { kid }));
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const keys = await stored.load();
      if (keys.some((key) => key.kid === jwk.kid)) {
        throw conflict('There is a signing key with this kid.');
      }
      const older = ofAlgorithm(keys, alg);
      const generation = 1 + Math.max(0, ...older.map((key) => key.generation));
      const announcedMs = soon ? spreadMs(config) : config.announced * 1000;
      const activeAt = now() + (older.length === 0 ? 0 : announcedMs);
      const key = { alg, generation, activeAt, jwk };
      if (await stored.claim(key)) return key;
    }
    throw conflict('The keys are being changed by another process. Try again.');
  };

  /** Lets the newest announced version sign soon. */
  const hasten = async (alg: SigningAlgorithm, { soon, drop }: RotateOptions): Promise<StoredKey> => {
    if (drop) throw conflict(dropAtService);
    const announced = (await states()).findLast(({ key, state }) => key.alg === alg && state === 'announced')?.key;
    if (!soon || announced === undefined) throw conflict(newAtService(alg));
    const activeAt = Math.min(announced.activeAt, now() + spreadMs(config));
    await stored.reschedule(announced, activeAt);
    return { ...announced, activeAt };
  };

  return async (alg, options = {}) => {
    if (isExternal(config) && options.jwk === undefined) return hasten(alg, options);
    const { generation, jwk } = await claimNewest(alg, options);
    const keys = ofAlgorithm(await stored.load(), alg);
    if (options.drop) await stored.remove(keys.filter((key) => key.generation < generation));
    return keys.find(({ kid }) => kid === jwk.kid) as StoredKey;
  };
};

const createRotation = (options: RotationOptions): Rotation => {
  const { stored, config, remoteKeys, now } = options;
  const statesOf = (keys: readonly StoredKey[]) =>
    statesAt<StoredKey>(keys, now(), { ...scheduleOf(config), ability: remoteKeys });
  const states = async () => statesOf(await stored.load());
  const dueIn = createDueKeys(options);
  const findReturned = createFindReturned(now);

  /** Whether a service still lists the key, or its service does not answer. */
  const isAtService = (key: StoredKey): boolean => key.remote !== undefined && remoteKeys?.canSign(key) === true;

  /** A key that its service names and chooses is published while the service lists it, whatever the schedule says. */
  const keptAtService = ({ key, state, until }: KeyWithState): KeyWithState =>
    state === 'gone' && isAtService(key) && isNamed(key) ? { key, state: 'retired' } : { key, state, until };

  return {
    states,
    async advance() {
      const before = await stored.load();
      const due = await dueIn(before);
      for (const each of due) await stored.claim(each);
      const keys = due.length > 0 ? await stored.load() : before;
      const returned = findReturned(statesOf(keys));
      for (const key of returned) await stored.reschedule(key, now() + spreadMs(config));
      const all = statesOf(returned.length > 0 ? await stored.load() : keys).map(keptAtService);
      const gone = all.filter(({ state }) => state === 'gone').map(({ key }) => key);
      // A version that is still listed keeps its record: without one it would be taken for a new version.
      await stored.remove(gone.filter((key) => !(isExternal(config) && isAtService(key))));
      return all.filter(({ state }) => state !== 'gone');
    },
    rotate: createRotateKey(options, states),
    async remove(kid) {
      const found = (await states()).find(({ key }) => key.kid === kid);
      if (found === undefined) return false;
      const { key, state } = found;
      // An algorithm that is no longer configured keeps its last key until it is deleted.
      if (state === 'active' && config.algorithms.includes(key.alg)) {
        throw conflict('This key signs. Generate a new key first, and delete this one when it is retired.');
      }
      if (isExternal(config) && isAtService(key)) {
        throw conflict(
          'The service lists this key, or does not answer. Disable the key there, and delete it here later.',
        );
      }
      await stored.remove([key]);
      return true;
    },
  };
};

export const openRotation = (deps: RotationDependencies, remote?: RemoteSigning) => {
  const stored = createStoredKeys({ ...deps, toSigner: remote?.toSigner });
  return { stored, rotation: createRotation({ ...deps, stored, remoteKeys: remote?.remoteKeys }) };
};
