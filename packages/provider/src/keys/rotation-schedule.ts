import type { SigningAlgorithm } from './signer.ts';

/**
 * announced -> active -> retired -> gone
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

/** What a state follows from. Times are milliseconds since 1970. */
export interface ScheduledKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  /** Counted for each algorithm: the successor of a key has the next one. */
  readonly generation: number;
  /** From when on it may sign. Fixed when it is made. */
  readonly activeAt: number;
}

export interface KeyInState<Key extends ScheduledKey> {
  readonly key: Key;
  readonly state: KeyState;
  /** When the state ends, as far as that is decided. Milliseconds since 1970. */
  readonly until?: number;
}

/** The newest generation whose time has come; before that of any has, the one whose comes first. */
const activeOf = <Key extends ScheduledKey>(keys: readonly Key[], now: number): Key | undefined =>
  keys.findLast(({ activeAt }) => activeAt <= now) ?? keys.toSorted((a, b) => a.activeAt - b.activeAt)[0];

const statesOfAlgorithm = <Key extends ScheduledKey>(
  unsorted: readonly Key[],
  now: number,
  { retiredSeconds }: Schedule,
): readonly KeyInState<Key>[] => {
  const keys = unsorted.toSorted((a, b) => a.generation - b.generation);
  const active = activeOf(keys, now);
  return keys.map((key, index): KeyInState<Key> => {
    const succeeded = Math.min(...keys.slice(index + 1).map(({ activeAt }) => activeAt));
    if (key === active) return { key, state: 'active', until: Number.isFinite(succeeded) ? succeeded : undefined };
    if (active === undefined || key.generation > active.generation) {
      return { key, state: 'announced', until: key.activeAt };
    }
    const until = succeeded + retiredSeconds * 1000;
    return { key, state: until > now ? 'retired' : 'gone', until };
  });
};

/**
 * The state of every key at an instant. It follows from what was fixed when the keys were made, and from the time: every
 * process comes to the same, with nothing to agree on and nothing to miss.
 */
export const statesAt = <Key extends ScheduledKey>(
  keys: readonly Key[],
  now: number,
  schedule: Schedule,
): readonly KeyInState<Key>[] => {
  const algorithms = [...new Set(keys.map(({ alg }) => alg))];
  return algorithms.flatMap((alg) =>
    statesOfAlgorithm(
      keys.filter((key) => key.alg === alg),
      now,
      schedule,
    ),
  );
};

/** Whose turn comes next: the generation that has to be made now, and from when on it signs; nothing while there is time. */
export const dueSuccessor = (
  keys: readonly ScheduledKey[],
  now: number,
  { announcedSeconds, activeSeconds }: Schedule,
): Pick<ScheduledKey, 'generation' | 'activeAt'> | undefined => {
  const newest = keys.toSorted((a, b) => b.generation - a.generation)[0];
  // The first of all has nobody to be announced to.
  if (newest === undefined) return { generation: 1, activeAt: now };
  const endsAt = newest.activeAt + activeSeconds * 1000;
  if (now < endsAt - announcedSeconds * 1000) return undefined;
  // However late it is made, it is announced for its time, and the one before it goes on signing.
  return { generation: newest.generation + 1, activeAt: Math.max(endsAt, now + announcedSeconds * 1000) };
};
