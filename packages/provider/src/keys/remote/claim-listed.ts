import { thumbprint } from '@carnet/signer-contract/jws';
import { type KeyInState, newestOf, type Schedule } from '../rotation/schedule.ts';
import type { Jwk } from '../sets/jwk-schema.ts';
import type { NewKey, StoredKey } from '../sources/stored-keys.ts';
import type { ListedKey } from './list-keys.ts';

const isListedAs = ({ kid, remote }: StoredKey, listed: readonly ListedKey[]): boolean =>
  listed.some((key) => key.kid === kid && key.service === remote?.service && key.handle === remote.handle);

/** The listed keys without a record. A key that has another handle now gets a new record. */
const unknownIn = (listed: readonly ListedKey[], known: readonly StoredKey[]): readonly ListedKey[] => {
  const kids = new Set(
    known.filter((key) => key.remote === undefined || isListedAs(key, listed)).map(({ kid }) => kid),
  );
  return listed.filter(({ kid }, index) => !kids.has(kid) && listed.findIndex((key) => key.kid === kid) === index);
};

/** Whether a key of the store has signed since the version: clients may have a JWKS without the version. */
const isFollowedByLocal = (known: readonly StoredKey[], kid: string | undefined, now: number): boolean => {
  const own = known.find((key) => key.kid === kid && key.remote !== undefined);
  const isLater = ({ remote, generation, activeAt }: StoredKey): boolean =>
    own !== undefined && remote === undefined && generation > own.generation && activeAt <= now;
  return known.some(isLater);
};

/**
 * The key versions of one algorithm to store, each as a generation of its own, the oldest first. The very first key signs at
 * once; each later one is announced. After keys of the store have signed, the newest version is announced again.
 */
export const listedDue = (
  known: readonly StoredKey[],
  listed: readonly ListedKey[],
  now: number,
  { announcedSeconds }: Pick<Schedule, 'announcedSeconds'>,
): readonly NewKey[] => {
  const newest = newestOf(known);
  const unknown = unknownIn(listed, known);
  const isReturning =
    unknown.length === 0 && newest?.remote === undefined && isFollowedByLocal(known, listed.at(-1)?.kid, now);
  const due = isReturning ? listed.slice(-1) : unknown;
  return due.map(({ alg, kid, publicJwk, service, handle }, index) => ({
    alg,
    generation: (newest?.generation ?? 0) + 1 + index,
    activeAt: newest === undefined && index === 0 ? now : now + announcedSeconds * 1000,
    jwk: { ...publicJwk, kid, alg, use: 'sig' } as Jwk,
    remote: { service, handle },
    replaced: known.find((key) => key.kid === kid),
  }));
};

/** Whether its service has named the key. Other keys have their thumbprint for a name. */
export const isNamed = ({ kid, signer }: StoredKey): boolean =>
  kid !== thumbprint(signer.publicKey.export({ format: 'jwk' }));

/**
 * Finds the versions that sign because they were enabled again at their service, and not because they are due. An older
 * version has signed meanwhile: it is published for its full time only if its successor begins to sign now. A version that
 * its service names is left out: the service chooses when it signs.
 */
export const createFindReturned = (now: () => number) => {
  let before: readonly StoredKey[] = [];
  let lastAt = now();
  return (states: readonly KeyInState<StoredKey>[]): readonly StoredKey[] => {
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
