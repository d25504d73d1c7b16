import type { Write } from '@carnet/adapter-contract';
import { type Deadline, keysOf, within } from '@carnet/adapter-contract/kit';
import { nameOf } from './keys.ts';

/** Runs work in its turn. */
export type InTurn = <T>(writes: readonly Write[], deadline: Deadline, work: () => Promise<T>) => Promise<T>;

/** The grants of the writes, and the records without one. */
const placesOf = (writes: readonly Write[]): ReadonlySet<string> =>
  new Set([
    ...writes.flatMap((write) => (write.type === 'revoke' ? [write.grantId] : [])),
    ...keysOf(writes).map((key) => key.grantId ?? nameOf(key)),
  ]);

/**
 * Transactions of this process about the same grants or records run one after the other. In parallel they would abort
 * each other. Each waits only for earlier ones, so that none waits for itself.
 */
export const createTurns = (): InTurn => {
  const last = new Map<string, Promise<void>>();
  return async (writes, deadline, work) => {
    const places = placesOf(writes);
    const earlier = [...places].map((place) => last.get(place));
    const turn = Promise.withResolvers<void>();
    for (const place of places) last.set(place, turn.promise);
    try {
      await within(deadline, Promise.all(earlier));
      return await work();
    } finally {
      turn.resolve();
      for (const place of places) if (last.get(place) === turn.promise) last.delete(place);
    }
  };
};

/** Runs the revocation of a grant, or waits for one that has not begun. */
export type JoinRevocation = (grantId: string, deadline: Deadline, revoke: Revoke) => Promise<void>;

/** Calls `begin` when it begins to look for the records of the grant. */
type Revoke = (begin: () => void) => Promise<void>;

/**
 * Revocations of one grant that wait for their turn are one: each has the effect of the first that begins after it was
 * called. A code that is redeemed by an attacker a hundred times revokes its grant as often.
 */
export const createRevocations = (): JoinRevocation => {
  const waiting = new Map<string, Promise<void>>();
  return (grantId, deadline, revoke) => {
    const other = waiting.get(grantId);
    if (other !== undefined) return within(deadline, other);
    const begin = () => {
      if (waiting.get(grantId) === revoking) waiting.delete(grantId);
    };
    const revoking: Promise<void> = revoke(begin).finally(begin);
    waiting.set(grantId, revoking);
    return revoking;
  };
};
