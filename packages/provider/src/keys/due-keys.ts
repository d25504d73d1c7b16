import { generateSigningJwk } from './generate-jwk.ts';
import { assertLocal, listedDue, successorOfRemote } from './remote/claim-listed.ts';
import type { RotationOptions } from './rotation.ts';
import { dueSuccessor } from './rotation-schedule.ts';
import type { SigningAlgorithm } from './signer.ts';
import type { NewKey, StoredKey } from './stored-keys.ts';

const ofAlgorithm = (keys: readonly StoredKey[], alg: SigningAlgorithm) => keys.filter((key) => key.alg === alg);

/**
 * The keys that must be stored now, given those in the store: generated, or listed by the services.
 *
 * @throws ConfigError if a service holds the key that signs, and no service is configured
 */
export const createDueKeys = ({
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
