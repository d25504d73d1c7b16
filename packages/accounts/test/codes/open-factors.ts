import { createAttemptStore, createFactorStore, openAccountsDatabase } from '@carnet/accounts-sql';
import { type AttemptStore, createSecondFactors } from '../../src/second-factors/index.ts';
import { openTestFactors } from '../second-factors/open-test-factors.ts';

/** A round: every process uses the code at this time. */
export interface Round {
  readonly code: string;
  readonly now: number;
  /** Whether guesses are limited. Without the limit every call reaches the compare-and-set. */
  readonly isLimited: boolean;
}

const unlimited: AttemptStore = {
  increment: async () => ({ count: 1, resetAt: 0 }),
  decrement: async () => {},
  clear: async () => {},
};

/** Second factors on the accounts database, with a clock that the test sets. */
export const openFactors = async (url: string) => {
  const { clock, deps } = openTestFactors();
  const { now } = deps;
  const database = await openAccountsDatabase({ url, migrate: true, now });
  const store = createFactorStore({ database });
  const create = (attempts: AttemptStore) => createSecondFactors({ ...deps, store, attempts });
  return {
    clock,
    limited: create(createAttemptStore({ database, now })),
    unlimited: create(unlimited),
    close: () => database.close(),
  };
};
