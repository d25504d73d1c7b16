import { ConfigError } from '../../errors.ts';
import type { Ability, Schedule, ScheduledKey } from '../rotation/schedule.ts';
import type { Jwk } from '../sets/jwk-schema.ts';
import type { NewKey, StoredKey } from '../sources/stored-keys.ts';
import type { ListedKey } from './list-keys.ts';
import type { RemoteKeys } from './remote-keys.ts';

const newestOf = (keys: readonly StoredKey[]): StoredKey | undefined =>
  keys.toSorted((a, b) => b.generation - a.generation)[0];

/** Whether the keys of the store can sign. */
export const abilityOf = ({ canSign, chosen }: Pick<RemoteKeys, 'canSign' | 'chosen'>): Ability<StoredKey> => ({
  canSign: ({ kid, remote }) => remote === undefined || canSign({ ...remote, kid }),
  isChosen: ({ alg, kid }) => chosen(alg) === kid,
});

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
  const { generation: own = 0 } = known.find((key) => key.kid === kid) ?? {};
  return known.some(({ remote, generation, activeAt }) => remote === undefined && generation > own && activeAt <= now);
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
  const imported = (kid: string) => known.some((key) => key.kid === kid && key.remote === undefined);
  return due
    .filter(({ kid }) => !imported(kid))
    .map(({ alg, kid, publicJwk, service, handle }, index) => ({
      alg,
      generation: (newest?.generation ?? 0) + 1 + index,
      activeAt: newest === undefined && index === 0 ? now : now + announcedSeconds * 1000,
      jwk: { ...publicJwk, kid, alg, use: 'sig' } as Jwk,
      remote: { service, handle },
      replaced: known.find((key) => key.kid === kid),
    }));
};

/** The generated key that follows a key of a service: the keys move into the store. */
export const successorOfRemote = (
  known: readonly StoredKey[],
  now: number,
  { announcedSeconds }: Pick<Schedule, 'announcedSeconds'>,
): Pick<ScheduledKey, 'generation' | 'activeAt'> | undefined => {
  const newest = newestOf(known);
  if (newest?.remote === undefined) return undefined;
  return { generation: newest.generation + 1, activeAt: now + announcedSeconds * 1000 };
};

/** @throws ConfigError if the newest key is one of a service, and no signer is configured */
export const assertLocal = (known: readonly StoredKey[]): void => {
  const { remote, alg } = newestOf(known) ?? {};
  if (remote === undefined) return;
  throw new ConfigError([
    `keys.source: is store, but the ${alg} key that signs is held by ${remote.service} (${remote.handle}). Set keys.signer (SIGNER) as well, until a key of the store signs; or, if that service is lost, run \`carnet keys rotate --now --drop\`.`,
  ]);
};
