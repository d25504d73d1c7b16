import { createHash } from 'node:crypto';
import { type CompositeIndex, checkIndex } from './composite-indexes.ts';
import { toEntityResult } from './lookup.ts';
import type { Query, QueryRequest, RunQueryRequest } from './protocol.ts';
import { readShape, type Shape } from './query-shape.ts';
import { openReading } from './read-options.ts';
import { refuse } from './refusal.ts';
import { narrow, rangeOf, type ShapeIndexes } from './shape-index.ts';
import type { SortedEntry, SortedList } from './sorted-list.ts';
import { type Store, toTimestamp, type Version } from './store.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface QueryParts {
  readonly store: Store;
  readonly indexes: ShapeIndexes;
  readonly transactions: Transactions;
  readonly compositeIndexes: readonly CompositeIndex[];
  /** The most entities of one answer; further ones need another request. */
  readonly maxBatchEntities: number;
}

/** A query that may run, and the places between which it runs. */
export interface Scan {
  readonly shape: Shape;
  readonly from: string;
  readonly until: string;
  cursorAfter(sort: string): Buffer;
  entries(asOf?: Version): Generator<SortedEntry>;
}

/** A cursor belongs to the query without its limit, offset and cursors. */
const digest = (shape: Shape): Buffer => createHash('sha256').update(JSON.stringify(shape)).digest().subarray(0, 8);

const readCursor = (cursor: Buffer, owner: Buffer): string | undefined => {
  if (cursor.length === 0) return undefined;
  if (!cursor.subarray(0, owner.length).equals(owner)) refuse('INVALID_ARGUMENT', 'The cursor is of another query.');
  return `${cursor.subarray(owner.length).toString('latin1')}\0`;
};

const isUnder = (list: SortedList, place: string, prefix: string): SortedEntry | undefined => {
  const { value } = list.from(place).next();
  return value?.sort.startsWith(prefix) ? value : undefined;
};

/** An inequality is evaluated only where every value is of its type: how others compare is not documented. */
const checkTypes = (list: SortedList, { bounds, orders, namespace, equals }: Shape): void => {
  const [bound] = bounds;
  if (bound === undefined) return;
  const prefix = `${namespace}${equals.map(({ encoded }) => encoded).join('')}`;
  const type = orders[0]?.descending ? 255 - bound.encoded.charCodeAt(0) : bound.encoded.charCodeAt(0);
  const first = isUnder(list, prefix, prefix);
  const behind = isUnder(list, `${prefix}${String.fromCharCode(type + 1)}`, prefix);
  if (behind || (first && first.sort.charCodeAt(prefix.length) !== type)) {
    refuse(
      'UNIMPLEMENTED',
      `This server compares values of one type: "${bound.property}" has another in some entities.`,
    );
  }
};

const matches = ({ id }: SortedEntry, { ancestor, keyBounds, orders }: Shape): boolean => {
  if (ancestor !== undefined && !id.startsWith(ancestor)) return false;
  if (orders.length === 0) return true;
  return keyBounds.every(({ op, encoded }) => {
    if (op.endsWith('EQUAL') && id === encoded) return true;
    return op.startsWith('LESS') ? id < encoded : op.startsWith('GREATER') && id > encoded;
  });
};

export const openScan = (query: Query, request: QueryRequest, { indexes, compositeIndexes }: QueryParts): Scan => {
  const { projectId, databaseId } = request.partitionId ?? request;
  if (
    (projectId || request.projectId) !== request.projectId ||
    (databaseId || request.databaseId) !== request.databaseId
  ) {
    refuse('INVALID_ARGUMENT', 'The query is of another project or database than the request.');
  }
  if (request.explainOptions) refuse('UNIMPLEMENTED', 'This server explains no queries.');
  const shape = readShape(query, request.partitionId, request);
  checkIndex(shape, compositeIndexes);
  const owner = digest(shape);
  const { from, until } = narrow(
    rangeOf(shape),
    readCursor(query.startCursor, owner),
    readCursor(query.endCursor, owner),
  );
  return {
    shape,
    from,
    until,
    cursorAfter: (sort) => Buffer.concat([owner, Buffer.from(sort, 'latin1')]),
    *entries(asOf) {
      const list = indexes.find(shape, asOf);
      checkTypes(list, shape);
      for (const entry of list.from(from)) {
        if (entry.sort >= until) return;
        if (entry.ofArray) refuse('UNIMPLEMENTED', 'This server sorts by no property that is an array.');
        if (matches(entry, shape)) yield entry;
      }
    },
  };
};

/** Notes what a read-write transaction has seen, so that its commit can see that it is so still. */
export const rememberScan = (scan: Scan, most: number, transaction: Transaction | undefined, store: Store): void => {
  if (!transaction || transaction.isReadOnly) return;
  const see = (asOf?: Version) => {
    const seen: string[] = [];
    for (const { id } of scan.entries(asOf)) {
      seen.push(`${id} ${store.read(id, asOf)?.version}`);
      if (seen.length >= most) break;
    }
    return seen.join('\n');
  };
  const seen = see(transaction.snapshot);
  transaction.queries.push(() => see() === seen);
};

const collect = (scan: Scan, query: Query, asOf: Version | undefined, maxBatchEntities: number) => {
  const limit = query.limit?.value ?? Infinity;
  const batch: SortedEntry[] = [];
  let skipped = 0;
  let last = scan.cursorAfter(scan.from.endsWith('\0') ? scan.from.slice(0, -1) : scan.from);
  let skippedCursor: Buffer | undefined;
  let more = 'NO_MORE_RESULTS';
  for (const entry of scan.entries(asOf)) {
    if (skipped === query.offset && batch.length >= limit) more = 'MORE_RESULTS_AFTER_LIMIT';
    else if (batch.length >= maxBatchEntities) more = 'NOT_FINISHED';
    if (more !== 'NO_MORE_RESULTS') break;
    last = scan.cursorAfter(entry.sort);
    if (skipped < query.offset) {
      skipped += 1;
      skippedCursor = last;
    } else batch.push(entry);
  }
  if (batch.length >= limit) more = 'MORE_RESULTS_AFTER_LIMIT';
  else if (more === 'NO_MORE_RESULTS' && query.endCursor.length > 0) more = 'MORE_RESULTS_AFTER_CURSOR';
  return { batch, skipped, skippedCursor, last, more };
};

export const runQuery = (request: RunQueryRequest, parts: QueryParts) => {
  const query = request.query ?? refuse('UNIMPLEMENTED', 'This server has no GQL.');
  const scan = openScan(query, request, parts);
  const { transaction, begun } = openReading(request.readOptions, parts.transactions);
  const asOf = transaction?.snapshot;
  const { batch, skipped, skippedCursor, last, more } = collect(scan, query, asOf, parts.maxBatchEntities);
  const isCut = more === 'MORE_RESULTS_AFTER_LIMIT' || more === 'NOT_FINISHED';
  rememberScan(scan, isCut ? skipped + batch.length : Infinity, transaction, parts.store);
  const version = asOf ?? parts.store.nextVersion();
  const { keysOnly } = scan.shape;
  return {
    batch: {
      entityResultType: keysOnly ? 'KEY_ONLY' : 'FULL',
      entityResults: batch.flatMap(({ id, sort }) => {
        const stored = parts.store.read(id, asOf);
        if (stored === undefined) return [];
        const cursor = scan.cursorAfter(sort);
        return keysOnly
          ? { entity: { key: stored.entity.key, properties: {} }, cursor }
          : { ...toEntityResult(stored, request.propertyMask), cursor };
      }),
      skippedResults: skipped,
      ...(skippedCursor && { skippedCursor }),
      endCursor: last,
      moreResults: more,
      snapshotVersion: `${version}`,
      readTime: toTimestamp(version),
    },
    ...(begun && { transaction: begun }),
  };
};
