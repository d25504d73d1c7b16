import type { Factor, FactorStore } from '../store.ts';

/** The members that an accepted code changes; undefined if the code is wrong or was used before. */
export type Acceptance = Partial<Pick<Factor, 'counter' | 'payload'>>;

const rounds = 10;

/**
 * Checks a code against a factor and records it. Compare-and-set makes the code single use: of parallel calls one updates
 * the version, and the others check the code against the updated factor. A call that fails to update ten times is refused.
 */
export const acceptOnce = async (
  store: FactorStore,
  factor: Factor,
  now: number,
  check: (factor: Factor) => Acceptance | undefined | Promise<Acceptance | undefined>,
): Promise<Factor | undefined> => {
  let current: Factor | undefined = factor;
  for (let round = 0; round < rounds && current !== undefined; round += 1) {
    const acceptance = await check(current);
    if (acceptance === undefined) return undefined;
    const next: Factor = { ...current, ...acceptance, lastUsedAt: now, version: current.version + 1 };
    if (await store.update(next)) return next;
    current = (await store.list(factor.subject)).find(({ id }) => id === factor.id);
  }
  return undefined;
};
