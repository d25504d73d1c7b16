import type { RecordKey } from '@carnet/adapter-contract';
import { batchesOf } from '@carnet/adapter-contract/kit';
import { type CallContext, repeatCall } from './call-context.ts';
import { UnprocessedError } from './faults.ts';
import { headKeyOf, itemKeyIn, itemKeyOf, keyAttributes, nameOf } from './keys.ts';
import type { Attributes, BatchKeys, ItemKey } from './wire.ts';

/** The limit of a BatchGetItem. */
export const mostKeys = 100;

/** Items by `nameOf`. */
export type Items = ReadonlyMap<string, Attributes>;

const readBatch = async (keys: readonly ItemKey[], context: CallContext, into: Map<string, Attributes>) => {
  const { connection, table, deadline } = context;
  let wanted: BatchKeys | undefined = { Keys: keys.map(keyAttributes), ConsistentRead: true };
  const attempt = async () => {
    while (wanted !== undefined) {
      const before: number = wanted.Keys.length;
      const answer = await connection.call('BatchGetItem', { RequestItems: { [table]: wanted } }, deadline);
      for (const item of answer.Responses?.[table] ?? []) into.set(nameOf(itemKeyIn(item)), item);
      wanted = answer.UnprocessedKeys?.[table];
      if (wanted?.Keys.length === before) throw new UnprocessedError('DynamoDB has processed no key of a read.');
    }
  };
  await repeatCall(attempt, context);
};

/** Reads items, each once, strongly consistent. */
export const lookUp = async (keys: readonly ItemKey[], context: CallContext): Promise<Items> => {
  const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
  const items = new Map<string, Attributes>();
  await Promise.all(batchesOf(distinct, mostKeys).map((batch) => readBatch(batch, context, items)));
  return items;
};

/** The items of records, and the heads that decide about them. */
export const itemKeysFor = (keys: readonly RecordKey[]): readonly ItemKey[] =>
  keys.flatMap((key) => [itemKeyOf(key), ...(key.grantId === undefined ? [] : [headKeyOf(key.grantId)])]);

export const headIn = (items: Items, grantId: string | undefined): Attributes | undefined =>
  grantId === undefined ? undefined : items.get(nameOf(headKeyOf(grantId)));
