import { randomUUID } from 'node:crypto';
import { pinPayload } from './pin/pin-factor.ts';
import { createCodes, remainingCodes } from './recovery-codes/recovery-codes.ts';
import type { ListedFactor, PinHash } from './second-factors.ts';
import type { Factor, FactorKind, FactorStore, Vault } from './store.ts';

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

/** Adds a factor of a kind of which a user may have only one, then removes the earlier factors of this kind. */
const replace = async (
  store: FactorStore,
  { id, subject, kind, payload, now }: Pick<Factor, 'id' | 'subject' | 'kind' | 'payload'> & { readonly now: number },
): Promise<Factor> => {
  const earlier = (await store.list(subject)).filter((factor) => factor.kind === kind);
  const times = { confirmedAt: now, createdAt: now, lastUsedAt: undefined };
  const factor: Factor = { id, subject, kind, payload, label: '', counter: 0, version: 1, ...times };
  await store.add(factor);
  for (const each of earlier) await store.remove(subject, each.id);
  return factor;
};

export const replaceRecoveryCodes = async (
  store: FactorStore,
  subject: string,
  now: number,
): Promise<readonly string[]> => {
  const id = randomUUID();
  const { codes, payload } = createCodes({ subject, id });
  await replace(store, { id, subject, kind: 'recovery_code', payload, now });
  return codes;
};

export const replacePin = async (
  deps: { readonly store: FactorStore; readonly vault: Vault; readonly hash: PinHash },
  { subject, pin, now }: { readonly subject: string; readonly pin: string; readonly now: number },
): Promise<ListedFactor> => {
  const id = randomUUID();
  const payload = await pinPayload(deps, { subject, id }, pin);
  return listed(await replace(deps.store, { id, subject, kind: 'pin', payload, now }));
};

const isReplacedByRecoveryCodes = (kind: FactorKind): boolean => kind !== 'recovery_code' && kind !== 'pin';

/**
 * Recovery codes from before the first other factor are removed when that is added: the password alone was enough to create
 * them, and an attacker who knows it would have codes that the user does not know of.
 */
export const removeEarlierCodes = async (store: FactorStore, subject: string, added: string): Promise<void> => {
  const earlier = (await store.list(subject)).filter(({ id }) => id !== added);
  if (earlier.some(({ kind }) => isReplacedByRecoveryCodes(kind))) return;
  for (const factor of earlier) if (factor.kind === 'recovery_code') await store.remove(subject, factor.id);
};

/** Recovery codes replace another factor. They are removed with the last one, so that codes of a lost list are not valid. */
export const removeFactor = async (store: FactorStore, subject: string, id: string): Promise<boolean> => {
  if (!(await store.remove(subject, id))) return false;
  const left = await store.list(subject);
  if (left.some(({ kind }) => isReplacedByRecoveryCodes(kind))) return true;
  for (const factor of left) if (factor.kind === 'recovery_code') await store.remove(subject, factor.id);
  return true;
};
