import type { FoundRecord, ListQuery, Page } from '@carnet/adapter-contract';
import type { CallContext } from './call-context.ts';
import { isUnexpired, toFound } from './item.ts';
import { itemKeyIn, listOf } from './keys.ts';
import { itemKeysFor, lookUp } from './lookup.ts';
import { query } from './pages.ts';
import { findLive } from './read.ts';
import type { Attributes } from './wire.ts';

/** The items of a list after a place, in the order of their ids. */
const itemsAfter = (listed: ListQuery, after: string | undefined, limit: number, context: CallContext) => {
  const isFromStart = after === undefined || after === '';
  return query(
    {
      KeyConditionExpression: isFromStart ? '#pk = :pk' : '#pk = :pk AND #sk > :sk',
      ExpressionAttributeNames: { '#pk': 'pk', ...(!isFromStart && { '#sk': 'sk' }) },
      ExpressionAttributeValues: {
        ':pk': { S: listOf(listed.kind, listed.subject) },
        ...(!isFromStart && { ':sk': { S: after } }),
      },
      ConsistentRead: true,
      Limit: limit,
    },
    context,
  );
};

/** The records that a list points to: each item is a record, or a pointer to one. */
const resolve = async (
  { kind, subject }: ListQuery,
  items: readonly Attributes[],
  context: CallContext,
): Promise<readonly FoundRecord[]> => {
  const keyOf = (item: Attributes) => ({
    kind,
    id: itemKeyIn(item).sk,
    ...(item.grant?.S !== undefined && { grantId: item.grant.S }),
  });
  const pointers = items.filter(({ payload }) => payload === undefined);
  const stored = pointers.length === 0 ? new Map() : await lookUp(itemKeysFor(pointers.map(keyOf)), context);
  const now = context.now();
  const found = items.map((item) => {
    if (item.payload === undefined) return findLive(keyOf(item), stored, now);
    return isUnexpired(item, now) ? toFound(keyOf(item), item) : undefined;
  });
  return (
    found
      .filter((record) => record !== undefined)
      // A pointer may be of a subject that the record had before.
      .filter((record) => subject === undefined || record.subject === subject)
  );
};

/** Live records after a place, one more than a page has if there are so many. Expired ones may fill whole answers. */
const findAfter = async (listed: ListQuery, context: CallContext): Promise<readonly FoundRecord[]> => {
  const wanted = listed.limit + 1;
  const live: FoundRecord[] = [];
  for (let { after } = listed; ; ) {
    const { Items = [], LastEvaluatedKey } = await itemsAfter(listed, after, wanted - live.length, context);
    live.push(...(await resolve(listed, Items, context)));
    after = Items.at(-1)?.sk?.S;
    if (LastEvaluatedKey === undefined || live.length === wanted || after === undefined) return live;
  }
};

export const listPage = async (listed: ListQuery, context: CallContext): Promise<Page> => {
  const live = await findAfter(listed, context);
  const records = live.slice(0, listed.limit);
  return live.length > listed.limit ? { records, next: records.at(-1)?.id } : { records };
};
