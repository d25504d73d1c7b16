import type { FactorStore } from '../second-factors/index.ts';

/** How often a token can be tried until the sessions could be ended. */
const tries = [1, 2, 3];

/**
 * Claims a try of a logout token. Returns a function that claims the remaining ones; undefined if no try is left.
 *
 * Safe against a token that is sent again, which would end later sessions, because no try is left once the call has succeeded. A
 * try is never given back, so that a process that stops in between uses up one try, and not the token.
 */
export const claimTry = async (
  claims: Pick<FactorStore, 'claim'>,
  token: string,
  expiresAt: number,
): Promise<(() => Promise<void>) | undefined> => {
  const claim = (each: number): Promise<boolean> => claims.claim(`logout ${token} ${each}`, expiresAt);
  for (const current of tries)
    if (await claim(current))
      return async () => {
        await Promise.all(tries.filter((each) => each > current).map(claim));
      };
  return undefined;
};
