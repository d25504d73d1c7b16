import type { FoundRecord, Page, ScanQuery } from '@carnet/adapter-contract';
import { type CallContext, repeatCall } from './call-context.ts';
import { headKeyOf, itemKeyIn, keyAttributes, nameOf, recordKeyOf } from './keys.ts';
import { lookUp } from './lookup.ts';
import { startAt } from './pages.ts';
import { findLive } from './read.ts';
import type { Attributes } from './wire.ts';

type Cursor = readonly [pk: string, sk: string];

const placeOf = (after: string | undefined): Attributes | undefined => {
  if (after === undefined) return undefined;
  const [pk, sk]: Cursor = JSON.parse(after);
  return keyAttributes({ pk, sk });
};

/** The live records among items whose grantId, or else id, begins with the prefix. */
const recordsIn = async (
  found: readonly Attributes[],
  prefix: string,
  context: CallContext,
): Promise<readonly FoundRecord[]> => {
  const stored = found.filter(({ payload }) => payload !== undefined);
  const keys = stored
    .flatMap((item) => recordKeyOf(itemKeyIn(item)) ?? [])
    .filter(({ id, grantId }) => (grantId ?? id).startsWith(prefix));
  const heads = await lookUp(
    keys.flatMap(({ grantId }) => (grantId === undefined ? [] : [headKeyOf(grantId)])),
    context,
  );
  const items = new Map([...stored.map((item) => [nameOf(itemKeyIn(item)), item] as const), ...heads]);
  const now = context.now();
  return keys.flatMap((key) => findLive(key, items, now) ?? []);
};

/** One page of a scan of the whole table: DynamoDB has no order of partitions, by which a prefix could be found. */
export const scanPage = async ({ limit, after, prefix = '' }: ScanQuery, context: CallContext): Promise<Page> => {
  const { connection, table, deadline } = context;
  const input = { TableName: table, ConsistentRead: true, Limit: limit, ...startAt(placeOf(after)) };
  const { Items = [], LastEvaluatedKey } = await repeatCall(() => connection.call('Scan', input, deadline), context);
  const records = await recordsIn(Items, prefix, context);
  if (LastEvaluatedKey === undefined) return { records };
  const { pk, sk } = itemKeyIn(LastEvaluatedKey);
  return { records, next: JSON.stringify([pk, sk] satisfies Cursor) };
};
