import { randomUUID } from 'node:crypto';
import { pinPayload } from './pin/pin-factor.ts';
import { createCodes, remainingCodes } from './recovery-codes/recovery-codes.ts';
import type { ListedFactor, PinHash } from './second-factors.ts';
import type { Factor, FactorStore, Vault } from './store.ts';

export const listed = (factor: Factor): ListedFactor => {
  const { id, kind, label, createdAt, lastUsedAt } = factor;
  const shown = { id, kind, label, createdAt, lastUsedAt };
  return kind === 'recovery_code' ? { ...shown, remaining: remainingCodes(factor) } : shown;
};

/** Confirmed factors in the order of their creation. */
export const confirmedFactors = async (store: FactorStore, subject: string): Promise<readonly Factor[]> =>
  (await store.list(subject))
    .filter(({ confirmedAt }) => confirmedAt !== undefined)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));

/** A factor in its first version, confirmed at this time. */
export const newFactor = (
  members: Pick<Factor, 'id' | 'subject' | 'kind' | 'payload'> & Partial<Pick<Factor, 'label' | 'counter'>>,
  now: number,
): Factor => ({
  label: '',
  counter: 0,
  ...members,
  confirmedAt: now,
  createdAt: now,
  lastUsedAt: undefined,
  version: 1,
});

/** Adds a factor of a kind of which a user may have only one, then removes the earlier factors of this kind. */
const replace = async (store: FactorStore, factor: Factor): Promise<void> => {
  const { subject } = factor;
  const earlier = (await store.list(subject)).filter(({ kind }) => kind === factor.kind);
  await store.add(factor);
  for (const each of earlier) await store.remove(subject, each.id);
};

export const replaceRecoveryCodes = async (
  store: FactorStore,
  subject: string,
  now: number,
): Promise<readonly string[]> => {
  const id = randomUUID();
  const { codes, payload } = createCodes({ subject, id });
  await replace(store, newFactor({ id, subject, kind: 'recovery_code', payload }, now));
  return codes;
};

export const replacePin = async (
  deps: { readonly store: FactorStore; readonly vault: Vault; readonly hash: PinHash },
  { subject, pin, now }: { readonly subject: string; readonly pin: string; readonly now: number },
): Promise<ListedFactor> => {
  const id = randomUUID();
  const factor = newFactor({ id, subject, kind: 'pin', payload: await pinPayload(deps, { subject, id }, pin) }, now);
  await replace(deps.store, factor);
  return listed(factor);
};

/** Removes the recovery codes unless the user has a factor that they replace. */
const removeUselessCodes = async (store: FactorStore, subject: string, factors: readonly Factor[]): Promise<void> => {
  if (factors.some(({ kind }) => kind !== 'recovery_code' && kind !== 'pin')) return;
  for (const factor of factors) if (factor.kind === 'recovery_code') await store.remove(subject, factor.id);
};

/**
 * Recovery codes from before the first other factor are removed when that is added: the password alone was enough to create
 * them, and an attacker who knows it would have codes that the user does not know of.
 */
export const removeEarlierCodes = async (store: FactorStore, subject: string, added: string): Promise<void> => {
  const earlier = (await store.list(subject)).filter(({ id }) => id !== added);
  await removeUselessCodes(store, subject, earlier);
};

/** Recovery codes replace another factor. They are removed with the last one, so that codes of a lost list are not valid. */
export const removeFactor = async (store: FactorStore, subject: string, id: string): Promise<boolean> => {
  if (!(await store.remove(subject, id))) return false;
  await removeUselessCodes(store, subject, await store.list(subject));
  return true;
};
