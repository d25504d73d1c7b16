import { CarnetError } from '../errors.ts';
import { createDueKeys } from './due-keys.ts';
import { abilityOf } from './remote/claim-listed.ts';
import { createFindReturned } from './remote/find-returned.ts';
import { createRotateKey } from './rotate-key.ts';
import type { KeyWithState, Rotation, RotationOptions } from './rotation.ts';
import { statesAt } from './rotation-schedule.ts';
import type { StoredKey } from './stored-keys.ts';
import { thumbprint } from './thumbprint.ts';

const conflict = (problem: string): CarnetError => new CarnetError('conflict', problem);

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
