import { type Bound, checkBound } from './expressions.ts';
import { refuse } from './refusal.ts';
import type { Store } from './store.ts';
import { readUnitsOf, type Units } from './units.ts';
import { checkKey, type Item, sizeOf } from './values.ts';

const mostKeys = 100;
const mostBytesOfBatch = 16 * 1024 * 1024;
const mostBytesOfPage = 1024 * 1024;

interface BatchKeys {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
}

export interface QueryInput extends Bound {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly Select?: string;
  readonly ExclusiveStartKey?: Item;
}

export const batchGet = (
  { RequestItems }: { readonly RequestItems: Readonly<Record<string, BatchKeys>> },
  store: Store,
  units: Units,
) => {
  const responses: Record<string, Item[]> = {};
  const unprocessed: Record<string, BatchKeys> = {};
  let bytes = 0;
  for (const [name, { Keys, ...options }] of Object.entries(RequestItems)) {
    store.table(name);
    if (Keys.length === 0 || Keys.length > mostKeys) refuse('Too many items requested for the BatchGetItem call');
    const places = Keys.map((key) => JSON.stringify([key.pk?.S, key.sk?.S]));
    if (new Set(places).size !== places.length) refuse('Provided list of item keys contains duplicates');
    const found: Item[] = [];
    const left: Item[] = [];
    for (const key of Keys) {
      checkKey(key, ['pk', 'sk']);
      const item = bytes < mostBytesOfBatch ? store.get(name, key) : undefined;
      if (bytes >= mostBytesOfBatch) left.push(key);
      else units.readUnits += readUnitsOf(item === undefined ? 0 : sizeOf(item)) * (options.ConsistentRead ? 1 : 0.5);
      if (item === undefined) continue;
      bytes += sizeOf(item);
      found.push(item);
    }
    responses[name] = found;
    if (left.length > 0) unprocessed[name] = { ...options, Keys: left };
  }
  return { Responses: responses, UnprocessedKeys: unprocessed };
};

/** The items of an answer: at most as many as the limit, and 1 MB. */
const page = (items: readonly Item[], limit: number, keyNames: readonly string[]) => {
  const taken: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (taken.length === limit || bytes > mostBytesOfPage) break;
    taken.push(item);
    bytes += sizeOf(item);
  }
  const last = taken.at(-1);
  // As DynamoDB: with a limit that was reached, an answer has a key even if it is the last one.
  const isEnd = taken.length === items.length && taken.length < limit;
  const lastKey = Object.fromEntries(keyNames.map((name) => [name, last?.[name] ?? {}]));
  return { taken, bytes, ...(last && !isEnd && { LastEvaluatedKey: lastKey }) };
};

const answer = (input: QueryInput, items: readonly Item[], keyNames: readonly string[], units: Units) => {
  const { taken, bytes, ...more } = page(items, input.Limit ?? Number.POSITIVE_INFINITY, keyNames);
  units.readUnits += readUnitsOf(bytes) * (input.ConsistentRead ? 1 : 0.5);
  const Items =
    input.IndexName === undefined ? taken : taken.map(({ pk, sk, sweep, expires }) => ({ pk, sk, sweep, expires }));
  return { ...(input.Select !== 'COUNT' && { Items }), Count: taken.length, ...more };
};

/** More than a page of 1 MB holds. */
const mostRows = 20_000;

const conditions: Readonly<Record<string, readonly string[]>> = {
  '#pk = :pk': ['pk'],
  '#pk = :pk AND #sk > :sk': ['pk', 'sk'],
};

export const query = (input: QueryInput, store: Store, units: Units) => {
  const { TableName, IndexName, KeyConditionExpression: text = '', ExpressionAttributeValues: values = {} } = input;
  const table = store.table(TableName);
  checkBound(input);
  const limit = Math.min(input.Limit ?? mostRows, mostRows) + 1;
  if (IndexName !== undefined) {
    if (input.ConsistentRead) refuse('Consistent reads are not supported on global secondary indexes');
    if (!table.input.GlobalSecondaryIndexes?.some((index) => index.IndexName === IndexName))
      refuse('The table does not have the specified index: sweep');
    if (text !== '#sweep = :sweep AND #expires <= :now') refuse(`Not implemented: ${text}`);
    const items = store.shard(
      TableName,
      values[':sweep']?.S ?? '',
      values[':now'] ?? {},
      input.ExclusiveStartKey,
      limit,
    );
    return answer(input, items, ['pk', 'sk', 'sweep', 'expires'], units);
  }
  if (conditions[text] === undefined) refuse(`Not implemented: ${text}`);
  if (values[':sk']?.S === '') refuse('One or more parameter values are not valid: empty key');
  const after = input.ExclusiveStartKey?.sk?.S ?? values[':sk']?.S ?? '';
  const items = store.partition(TableName, values[':pk']?.S ?? '', after, limit);
  return answer(input, items, ['pk', 'sk'], units);
};

export const scan = (input: QueryInput, store: Store, units: Units) => {
  store.table(input.TableName);
  checkBound(input);
  const limit = Math.min(input.Limit ?? mostRows, mostRows) + 1;
  return answer(input, store.scan(input.TableName, input.ExclusiveStartKey, limit), ['pk', 'sk'], units);
};
