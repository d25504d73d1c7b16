import { createAttemptStore, createFactorStore, openAccountsDatabase } from '@carnet/accounts-sql';
import { type AttemptStore, createSecondFactors, saltedSha256, type Vault } from '../../src/second-factors/index.ts';

export const subject = 'people.1';

/** A round: every process uses the code at this time. */
export interface Round {
  readonly code: string;
  readonly now: number;
  /** Whether guesses are limited. Without the limit every call reaches the compare-and-set. */
  readonly isLimited: boolean;
}

/** The secrets of these tests need no encryption. */
const vault: Vault = {
  seal: (place, text) => JSON.stringify([place, text]),
  open: (place, sealed) => (JSON.parse(sealed)[0] === place ? JSON.parse(sealed)[1] : undefined),
  isCurrent: () => true,
};

const unlimited: AttemptStore = {
  increment: async () => ({ count: 1, resetAt: 0 }),
  decrement: async () => {},
  clear: async () => {},
};

/** Second factors on the accounts database, with a clock that the test sets. */
export const openFactors = async (url: string) => {
  const clock = { now: 1_790_000_000_000 };
  const now = () => clock.now;
  const database = await openAccountsDatabase({ url, migrate: true, now });
  const store = createFactorStore({ database });
  const create = (attempts: AttemptStore) =>
    createSecondFactors({
      store,
      attempts,
      vault,
      hash: saltedSha256,
      policy: { default: 'none', kinds: ['totp'] },
      now,
    });
  return {
    clock,
    limited: create(createAttemptStore({ database, now })),
    unlimited: create(unlimited),
    close: () => database.close(),
  };
};
