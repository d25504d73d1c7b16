import { nameOfRecord } from '../apply-writes.ts';
import { keyOfWrite } from '../parts.ts';
import type { Conflict, ConflictReason, RecordKey, StoredRecord, Write } from '../port.ts';
import { placeOf } from '../scan.ts';

/** The required state of a record before the commit: absent, valid, or valid and not consumed. */
type Requirement = 'nothing' | 'absent' | 'live' | 'usable';

interface Outcome {
  readonly key: RecordKey;
  readonly requires: Requirement;
}

/** The net effect of all writes of a commit to one record: a condition on its current state, and its new state. */
export type Effect =
  | (Outcome & { readonly becomes: 'gone' })
  | (Outcome & { readonly becomes: 'changed'; readonly change: Change })
  | (Outcome & { readonly becomes: 'replaced'; readonly record: StoredRecord; readonly change: Change });

/** The effects of consume and merge. */
interface Change {
  readonly consumedAt?: Date;
  readonly members: readonly string[];
  readonly expiresAt?: Date;
}

export interface Folded {
  readonly effects: readonly Effect[];
  /** Every record of theirs that no effect names goes. */
  readonly grantIds: readonly string[];
}

/** Finds the conflict of a requirement with the stored record. */
export type Judge = (key: RecordKey, requirement: Requirement) => ConflictReason | undefined;

type WriteOf<T extends Write['type']> = Extract<Write, { type: T }>;
type Step<T extends Write['type']> = (before: Effect | undefined, write: WriteOf<T>) => Effect | ConflictReason;

const unchanged: Change = { members: [] };

const replaced = (before: Effect | undefined, record: StoredRecord, requires: Requirement): Effect => ({
  key: record,
  requires: before?.requires ?? requires,
  becomes: 'replaced',
  record,
  change: unchanged,
});

/** Consume and merge alike need a record that is there and not consumed. */
const changed = (before: Effect | undefined, key: RecordKey, change: (before: Change) => Change) => {
  if (before === undefined)
    return { key, requires: 'usable', becomes: 'changed', change: change(unchanged) } satisfies Effect;
  if (before.becomes === 'gone') return 'absent';
  return before.change.consumedAt ? 'consumed' : { ...before, change: change(before.change) };
};

/** Each write, on what the writes before it made of its record; `undefined` is a record that none has touched. */
const steps: { readonly [T in Exclude<Write['type'], 'revoke'>]: Step<T> } = {
  put(before, { record, onlyIfPresent }) {
    if (onlyIfPresent && before?.becomes === 'gone') return 'absent';
    return replaced(before, record, onlyIfPresent ? 'live' : 'nothing');
  },
  claim(before, { record }) {
    return before && before.becomes !== 'gone' ? 'exists' : replaced(before, record, 'absent');
  },
  remove: (before, { key }) => ({ key, requires: before?.requires ?? 'nothing', becomes: 'gone' }),
  consume: (before, { key, at }) => changed(before, key, (change) => ({ ...change, consumedAt: at })),
  merge: (before, { key, members, expiresAt }) =>
    changed(before, key, (change) => ({
      ...change,
      members: [...change.members, ...members],
      expiresAt: expiresAt ?? change.expiresAt,
    })),
};

/** The same for the writes after it: what has expired when it is written is absent to them. */
const seenAt = (now: number, effect: Effect): Effect => {
  if (effect.becomes === 'gone') return effect;
  const { key, requires, change } = effect;
  const expiresAt = change.expiresAt ?? (effect.becomes === 'replaced' ? effect.record.expiresAt : null);
  return expiresAt && expiresAt.getTime() <= now ? { key, requires, becomes: 'gone' } : effect;
};

/** The commit's effects so far, by record. */
const createFold = (now: number, judge: Judge) => {
  const effects = new Map<string, Effect>();
  const grantIds = new Set<string>();

  const revoke = (grantId: string) => {
    grantIds.add(grantId);
    for (const [name, { key, requires }] of effects)
      if (key.grantId === grantId) effects.set(name, { key, requires, becomes: 'gone' });
  };

  /**
   * A record that its grant's revocation removes unconditionally needs no effect of its own. Later writes still see the
   * removal.
   */
  const outcome = (): Folded => ({
    effects: [...effects.values()].filter(
      ({ key, requires, becomes }) =>
        !(becomes === 'gone' && requires === 'nothing' && key.grantId !== undefined && grantIds.has(key.grantId)),
    ),
    grantIds: [...grantIds],
  });

  const apply = (write: Write): ConflictReason | undefined => {
    if (write.type === 'revoke') {
      revoke(write.grantId);
      return undefined;
    }
    const key = keyOfWrite(write);
    const isRevoked = key.grantId !== undefined && grantIds.has(key.grantId);
    const known =
      effects.get(nameOfRecord(key)) ?? (isRevoked ? { key, requires: 'nothing', becomes: 'gone' } : undefined);
    const before = known && seenAt(now, known);
    const after = (steps[write.type] as Step<typeof write.type>)(before, write as never);
    if (typeof after === 'string') return after;
    const reason = before === undefined ? judge(key, after.requires) : undefined;
    if (reason === undefined) effects.set(nameOfRecord(key), after);
    return reason;
  };

  return { apply, outcome };
};

/**
 * The net effect of a commit for each record; or the first write whose condition fails, if `judge` can decide that.
 * Without one, only what contradicts itself is a conflict.
 */
export const foldWrites = (
  writes: readonly Write[],
  now: number,
  judge: Judge = () => undefined,
): Folded | Conflict => {
  const fold = createFold(now, judge);
  for (const write of writes) {
    const reason = fold.apply(write);
    if (reason !== undefined) return { write, reason };
  }
  return fold.outcome();
};

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** All commits lock rows in the same order, so that fewer of them deadlock. */
export const inOrder = (effects: readonly Effect[]): readonly Effect[] =>
  effects.toSorted(
    ({ key: one }, { key: other }) =>
      compare(placeOf(one), placeOf(other)) || compare(nameOfRecord(one), nameOfRecord(other)),
  );
