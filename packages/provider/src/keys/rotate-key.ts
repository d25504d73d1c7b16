import { CarnetError } from '../errors.ts';
import { generateSigningJwk } from './generate-jwk.ts';
import type { KeyWithState, RotateOptions, Rotation, RotationOptions } from './rotation.ts';
import type { SigningAlgorithm } from './signer.ts';
import type { NewKey, StoredKey } from './stored-keys.ts';

/** If other processes were faster this often, there is another problem. */
const mostAttempts = 5;

const conflict = (problem: string): CarnetError => new CarnetError('conflict', problem);

const newAtService = (alg: SigningAlgorithm): string =>
  `No version of an ${alg} key is announced. Create one at the service: Carnet announces it within keys.pollSeconds.`;

const dropAtService =
  'A service holds the signing keys. Disable the version that leaked there: another version then signs at once. Then delete its public key with DELETE /admin/keys/hydra.openid.id-token/{kid}.';

const ofAlgorithm = (keys: readonly StoredKey[], alg: SigningAlgorithm) => keys.filter((key) => key.alg === alg);

/** Rotation ahead of the schedule. */
export const createRotateKey = (
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
