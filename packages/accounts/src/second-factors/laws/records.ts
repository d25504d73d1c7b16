import { randomUUID } from 'node:crypto';
import type { Factor, FactorStore } from '../store.ts';

export const freshSubject = (): string => `law.${randomUUID()}`;

/** A confirmed TOTP factor of a new subject, in its first version. */
export const freshFactor = (members: Partial<Factor> = {}): Factor => ({
  id: randomUUID(),
  subject: freshSubject(),
  kind: 'totp',
  label: 'Phone "Zoë" 電話',
  payload: JSON.stringify({ sealed: 'ü'.repeat(2000) }),
  counter: 58_000_000,
  confirmedAt: 1_790_000_000_123,
  createdAt: 1_790_000_000_001,
  lastUsedAt: undefined,
  version: 1,
  ...members,
});

/** The only factor of the subject; undefined if it has none or several. */
export const onlyFactor = async (store: FactorStore, subject: string): Promise<Factor | undefined> => {
  const factors = await store.list(subject);
  return factors.length === 1 ? factors[0] : undefined;
};
