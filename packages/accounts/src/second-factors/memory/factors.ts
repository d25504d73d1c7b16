import type { Factor, FactorStore } from '../store.ts';

/** Factors in the memory of one process: for tests and for demonstrations. */
export const createMemoryFactorStore = (now: () => number = Date.now): FactorStore => {
  const factors = new Map<string, Factor>();
  const claims = new Map<string, number>();
  const ofSubject = (subject: string): Factor[] =>
    [...factors.values()].filter((factor) => factor.subject === subject).map((factor) => ({ ...factor }));
  const removeExpiredClaims = (): void => {
    for (const [id, expiresAt] of claims) if (expiresAt <= now()) claims.delete(id);
  };
  return {
    list: async (subject) => ofSubject(subject),
    async findPasskey(credentialId) {
      const factor = factors.get(credentialId);
      return factor?.kind === 'passkey' ? { ...factor } : undefined;
    },
    async add(factor) {
      if (factors.has(factor.id)) return false;
      factors.set(factor.id, { ...factor });
      return true;
    },
    async update(factor) {
      const stored = factors.get(factor.id);
      if (stored?.subject !== factor.subject || stored.version !== factor.version - 1) return false;
      factors.set(factor.id, { ...factor });
      return true;
    },
    async remove(subject, id) {
      return factors.get(id)?.subject === subject && factors.delete(id);
    },
    async removeAll(subject) {
      const owned = ofSubject(subject);
      for (const { id } of owned) factors.delete(id);
      return owned.length;
    },
    async claim(id, expiresAt) {
      removeExpiredClaims();
      if (claims.has(id)) return false;
      claims.set(id, expiresAt);
      return true;
    },
  };
};
