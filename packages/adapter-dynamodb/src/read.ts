import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import type { CallContext } from './call-context.ts';
import { epochOf, isLive, toFound } from './item.ts';
import { itemKeyOf, nameOf } from './keys.ts';
import { headIn, type Items, itemKeysFor, lookUp } from './lookup.ts';

/** The record of a key among items, unless it has expired or its grant was revoked. */
export const findLive = (key: RecordKey, items: Items, now: number): FoundRecord | undefined => {
  const item = items.get(nameOf(itemKeyOf(key)));
  if (item === undefined || !isLive(item, epochOf(headIn(items, key.grantId)), now)) return undefined;
  return toFound(key, item);
};

export const readRecords = async (
  keys: readonly RecordKey[],
  context: CallContext,
): Promise<readonly (FoundRecord | undefined)[]> => {
  if (keys.length === 0) return [];
  const items = await lookUp(itemKeysFor(keys), context);
  const instant = context.now();
  return keys.map((key) => findLive(key, items, instant));
};
