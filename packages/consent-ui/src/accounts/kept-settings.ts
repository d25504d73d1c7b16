import type { Accounts } from '@carnet/accounts/client';

const keptMs = 10_000;

/**
 * The accounts API, with settings that are asked for every ten seconds at most: each page needs them, some of them twice, and
 * they change only when Carnet restarts. A failure is not kept.
 */
export const withKeptSettings = (accounts: Accounts, now: () => number = Date.now): Accounts => {
  let kept: ReturnType<Accounts['settings']> | undefined;
  let until = 0;
  const ask = (): ReturnType<Accounts['settings']> => {
    const asked = accounts.settings();
    asked.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked;
  };
  return {
    ...accounts,
    settings: () => {
      if (kept !== undefined && now() < until) return kept;
      until = now() + keptMs;
      kept = ask();
      return kept;
    },
  };
};
