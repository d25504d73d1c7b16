import { refuse } from './refusal.ts';
import type { Transaction } from './transactions.ts';

/**
 * Shared locks of transactions on the entities that they have read. A commit waits until no other transaction holds one
 * of what it writes; it applies its mutations at once then, so that there are no lasting exclusive locks.
 */
export interface Locks {
  share(id: string, transaction: Transaction): void;
  release(transaction: Transaction): void;
  /**
   * Resolves in the very turn in which no other transaction holds a lock of these: `apply` runs there.
   *
   * @throws {Refusal} ABORTED after `maxWaitMs`, and at once for a transaction that would wait for itself.
   */
  whenFree<T>(ids: readonly string[], transaction: Transaction | undefined, apply: () => T): Promise<T>;
}

export const contention =
  'Aborted due to cross-transaction contention. This occurs when multiple transactions attempt to access the same data, requiring at least one to be aborted in order to enforce serializability.';

export const createLocks = (maxWaitMs: number): Locks => {
  const holders = new Map<string, Set<Transaction>>();
  const held = new Map<Transaction, Set<string>>();
  const waitsFor = new Map<Transaction, ReadonlySet<Transaction>>();
  let waiters: (() => void)[] = [];

  const blockersOf = (ids: readonly string[], own: Transaction | undefined): Set<Transaction> => {
    const blockers = new Set(ids.flatMap((id) => [...(holders.get(id) ?? [])]));
    if (own !== undefined) blockers.delete(own);
    return blockers;
  };
  const reaches = (from: ReadonlySet<Transaction>, to: Transaction): boolean =>
    [...from].some((next) => next === to || reaches(waitsFor.get(next) ?? new Set(), to));

  const waitForRelease = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      waiters.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });

  return {
    share(id, transaction) {
      holders.set(id, (holders.get(id) ?? new Set()).add(transaction));
      held.set(transaction, (held.get(transaction) ?? new Set()).add(id));
    },
    release(transaction) {
      for (const id of held.get(transaction) ?? []) {
        holders.get(id)?.delete(transaction);
        if (holders.get(id)?.size === 0) holders.delete(id);
      }
      held.delete(transaction);
      const woken = waiters;
      waiters = [];
      for (const wake of woken) wake();
    },
    async whenFree(ids, transaction, apply) {
      const deadline = Date.now() + maxWaitMs;
      for (;;) {
        const blockers = blockersOf(ids, transaction);
        if (blockers.size === 0) return apply();
        if (transaction !== undefined && reaches(blockers, transaction)) return refuse('ABORTED', contention);
        if (transaction !== undefined) waitsFor.set(transaction, blockers);
        const released = await waitForRelease(deadline - Date.now());
        if (transaction !== undefined) waitsFor.delete(transaction);
        if (!released) return refuse('ABORTED', contention);
      }
    },
  };
};
