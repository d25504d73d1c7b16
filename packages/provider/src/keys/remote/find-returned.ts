import type { KeyInState } from '../rotation/schedule.ts';
import { thumbprint } from '../signing/thumbprint.ts';
import type { StoredKey } from '../sources/stored-keys.ts';

const isNamed = ({ kid, signer }: StoredKey): boolean => kid !== thumbprint(signer.publicKey.export({ format: 'jwk' }));

/**
 * Finds the versions that sign because they were enabled again at their service, and not because they are due. An older
 * version has signed meanwhile: it is published for its full time only if its successor begins to sign now. A version that
 * its service names is left out: the service chooses when it signs.
 */
export const createFindReturned = (
  now: () => number,
): ((states: readonly KeyInState<StoredKey>[]) => readonly StoredKey[]) => {
  let before: readonly StoredKey[] = [];
  let lastAt = now();
  return (states) => {
    const active = states.filter(({ state }) => state === 'active').map(({ key }) => key);
    const returned = active.filter((key) => {
      const previous = before.find(({ alg }) => alg === key.alg);
      const isLater = previous !== undefined && previous.generation < key.generation;
      return isLater && key.remote !== undefined && key.activeAt <= lastAt && !isNamed(key);
    });
    before = active.map((key) => (returned.includes(key) ? (before.find(({ alg }) => alg === key.alg) ?? key) : key));
    lastAt = now();
    return returned;
  };
};
