import { CarnetError } from '../errors.ts';
import { generateSigningJwk } from './generate-jwk.ts';
import { abilityOf, assertLocal, listedDue, successorOfRemote } from './remote/claim-listed.ts';
import { createFindReturned } from './remote/find-returned.ts';
import type { KeyWithState, RotateOptions, Rotation, RotationOptions } from './rotation.ts';
import { dueSuccessor, statesAt } from './rotation-schedule.ts';
import type { SigningAlgorithm } from './signer.ts';
import type { NewKey, StoredKey } from './stored-keys.ts';
import { thumbprint } from './thumbprint.ts';

const ofAlgorithm = (keys: readonly StoredKey[], alg: SigningAlgorithm) => keys.filter((key) => key.alg === alg);

/**
 * The keys that must be stored now, given those in the store: generated, or listed by the services.
 *
 * @throws ConfigError if a service holds the key that signs, and no service is configured
 */
const createDueKeys = ({
  schedule,
  algorithms,
  remoteKeys,
  isExternal,
  now,
}: Omit<RotationOptions, 'stored'>): ((keys: readonly StoredKey[]) => Promise<readonly NewKey[]>) => {
  const generated = async (keys: readonly StoredKey[]): Promise<readonly NewKey[]> => {
    const due = algorithms.flatMap((alg) => {
      const known = ofAlgorithm(keys, alg);
      if (remoteKeys === undefined) assertLocal(known);
      const successor = successorOfRemote(known, now(), schedule) ?? dueSuccessor(known, now(), schedule);
      return successor === undefined ? [] : [{ alg, ...successor }];
    });
    return Promise.all(due.map(async (each) => ({ ...each, jwk: await generateSigningJwk(each.alg) })));
  };

  const listed = async (keys: readonly StoredKey[]): Promise<readonly NewKey[]> => {
    const all = remoteKeys?.listed() ?? [];
    return algorithms.flatMap((alg) => {
      const ofServices = all.filter((key) => key.alg === alg);
      return listedDue(ofAlgorithm(keys, alg), ofServices, now(), schedule);
    });
  };

  return isExternal ? listed : generated;
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
  { stored, schedule, spreadSeconds, isExternal, now }: RotationOptions,
  states: () => Promise<readonly KeyWithState[]>,
): Rotation['rotate'] => {
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

  /** Lets the newest announced version sign soon. */
  const hasten = async (alg: SigningAlgorithm, { soon, drop }: RotateOptions): Promise<StoredKey> => {
    if (drop) throw conflict(dropAtService);
    const announced = (await states()).findLast(({ key, state }) => key.alg === alg && state === 'announced')?.key;
    if (!soon || announced === undefined) throw conflict(newAtService(alg));
    const activeAt = Math.min(announced.activeAt, now() + spreadSeconds * 1000);
    await stored.reschedule(announced, activeAt);
    return { ...announced, activeAt };
  };

  return async (alg, options = {}) => {
    if (isExternal && options.jwk === undefined) return hasten(alg, options);
    const { generation, jwk } = await claimNewest(alg, options);
    const keys = ofAlgorithm(await stored.load(), alg);
    if (options.drop) await stored.remove(keys.filter((key) => key.generation < generation));
    return keys.find(({ kid }) => kid === jwk.kid) as StoredKey;
  };
};

export const createRotation = (options: RotationOptions): Rotation => {
  const { stored, schedule, algorithms, spreadSeconds, now, remoteKeys, isExternal } = options;
  const ability = remoteKeys && abilityOf(remoteKeys);
  const statesOf = (keys: readonly StoredKey[]) => statesAt(keys, now(), { ...schedule, ability });
  const states = async () => statesOf(await stored.load());
  const dueIn = createDueKeys(options);
  const findReturned = createFindReturned(now);

  /** Whether a service still lists the key, or its service does not answer. */
  const isAtService = ({ kid, remote }: StoredKey): boolean =>
    remote !== undefined && remoteKeys?.canSign({ ...remote, kid }) === true;

  /** A key that its service names and chooses is published while the service lists it, whatever the schedule says. */
  const keptAtService = ({ key, state, until }: KeyWithState): KeyWithState => {
    const isNamed = key.remote && key.kid !== thumbprint(key.signer.publicKey.export({ format: 'jwk' }));
    return state === 'gone' && isNamed && isAtService(key) ? { key, state: 'retired' } : { key, state, until };
  };

  return {
    states,
    async advance() {
      const before = await stored.load();
      const due = await dueIn(before);
      for (const each of due) await stored.claim(each);
      const keys = due.length > 0 ? await stored.load() : before;
      const returned = findReturned(statesOf(keys));
      for (const key of returned) await stored.reschedule(key, now() + spreadSeconds * 1000);
      const all = statesOf(returned.length > 0 ? await stored.load() : keys).map(keptAtService);
      const gone = all.filter(({ state }) => state === 'gone').map(({ key }) => key);
      // A version that is still listed keeps its record: without one it would be taken for a new version.
      await stored.remove(gone.filter((key) => !(isExternal && isAtService(key))));
      return all.filter(({ state }) => state !== 'gone');
    },
    rotate: createRotateKey(options, states),
    async remove(kid) {
      const found = (await states()).find(({ key }) => key.kid === kid);
      if (found === undefined) return false;
      const { key, state } = found;
      // An algorithm that is no longer configured keeps its last key until it is deleted.
      if (state === 'active' && algorithms.includes(key.alg)) {
        throw conflict('This key signs. Generate a new key first, and delete this one when it is retired.');
      }
      if (isExternal && isAtService(key)) {
        throw conflict(
          'The service lists this key, or does not answer. Disable the key there, and delete it here later.',
        );
      }
      await stored.remove([key]);
      return true;
    },
  };
};
