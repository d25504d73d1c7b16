import type { SigningAlgorithm } from '../signing/signer.ts';

/**
 * announced -> active -> retired -> deleted
 *
 * `announced`: published, does not sign. `active`: signs. `retired`: published, so that what it signed still verifies.
 */
export type KeyState = 'announced' | 'active' | 'retired' | 'gone';

/** How long a key is in each state, in seconds. */
export interface Schedule {
  readonly announcedSeconds: number;
  readonly activeSeconds: number;
  readonly retiredSeconds: number;
}

/** How long the published keys may be cached, in seconds. A key signs only after every cached copy without it has expired. */
export const jwksMaxAgeSeconds = 60;

/** The data that determines the state. Times are milliseconds since 1970. */
export interface ScheduledKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  /** A number per algorithm. The successor of a key has the next number. */
  readonly generation: number;
  /** The time from which the key may sign. Fixed when the key is created. */
  readonly activeAt: number;
}

export interface KeyInState<Key extends ScheduledKey> {
  readonly key: Key;
  readonly state: KeyState;
  /** The end of the state, if it is known. Milliseconds since 1970. */
  readonly until?: number;
}

/** The knowledge of this process about keys that services hold. */
export interface Ability<Key extends ScheduledKey> {
  /** False for a key that was disabled or deleted at its service. */
  canSign(key: Key): boolean;
  /** Whether a service that chooses among its keys has chosen this one. */
  isChosen(key: Key): boolean;
}

const unlimited: Ability<ScheduledKey> = { canSign: () => true, isChosen: () => false };

/**
 * The newest generation that can sign and whose activation time has passed. If there is none, the one with the earliest
 * activation time.
 */
const activeOf = <Key extends ScheduledKey>(
  keys: readonly Key[],
  now: number,
  { canSign, isChosen }: Ability<Key>,
): Key | undefined => {
  const able = keys.filter(canSign);
  const among = able.length > 0 ? able : keys;
  return (
    among.find(isChosen) ??
    among.findLast(({ activeAt }) => activeAt <= now) ??
    among.toSorted((a, b) => a.activeAt - b.activeAt)[0]
  );
};

/** When the first key that can sign has followed, or follows. `later`: the later generations. */
const succeededAt = <Key extends ScheduledKey>(later: readonly Key[], { canSign }: Ability<Key>): number => {
  const able = later.filter(canSign);
  return Math.min(...(able.length > 0 ? able : later).map(({ activeAt }) => activeAt));
};

/**
 * The state of every key at a time. It follows from the data that was fixed when the keys were created: every
 * process computes the same state without coordination.
 */
export const statesAt = <Key extends ScheduledKey>(
  all: readonly Key[],
  now: number,
  { retiredSeconds, ability = unlimited }: Pick<Schedule, 'retiredSeconds'> & { readonly ability?: Ability<Key> },
): readonly KeyInState<Key>[] =>
  [...Map.groupBy(all, ({ alg }) => alg).values()].flatMap((ofAlgorithm) => {
    const keys = ofAlgorithm.toSorted((a, b) => a.generation - b.generation);
    const active = activeOf(keys, now, ability);
    return keys.map((key, index): KeyInState<Key> => {
      const succeeded = succeededAt(keys.slice(index + 1), ability);
      if (key === active) return { key, state: 'active', until: Number.isFinite(succeeded) ? succeeded : undefined };
      if (active === undefined || key.generation > active.generation) {
        // A newer key that cannot sign any more has signed before.
        if (!ability.canSign(key) && key.activeAt <= now) return { key, state: 'retired' };
        return { key, state: 'announced', until: key.activeAt };
      }
      const until = succeeded + retiredSeconds * 1000;
      return { key, state: until > now ? 'retired' : 'gone', until };
    });
  });

export const newestOf = <Key extends ScheduledKey>(keys: readonly Key[]): Key | undefined =>
  keys.toSorted((a, b) => b.generation - a.generation)[0];

/** The generation that must be created now, and its activation time. Undefined if no key is due. */
export const dueSuccessor = (
  keys: readonly ScheduledKey[],
  now: number,
  { announcedSeconds, activeSeconds }: Schedule,
): Pick<ScheduledKey, 'generation' | 'activeAt'> | undefined => {
  const newest = newestOf(keys);
  // The very first key signs at once: no client has cached a JWKS without it.
  if (newest === undefined) return { generation: 1, activeAt: now };
  const endsAt = newest.activeAt + activeSeconds * 1000;
  if (now < endsAt - announcedSeconds * 1000) return undefined;
  // Even if it is created late, it is announced for its full time, and the previous key signs until then.
  return { generation: newest.generation + 1, activeAt: Math.max(endsAt, now + announcedSeconds * 1000) };
};
