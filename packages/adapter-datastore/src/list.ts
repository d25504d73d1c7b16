import type { FoundRecord, ListQuery, Page } from '@carnet/adapter-contract';
import type { CallContext } from './call-context.ts';
import { isLive, listName, toFound } from './entity.ts';
import { repeat } from './repeat.ts';
import { filterOf, recordsWhere, runQuery } from './run-query.ts';
import type { EntityKey, Query } from './wire.ts';

/** A place in a list: the key of a record, which has a grant or none. */
const toCursor = ({ id, grantId }: FoundRecord): string => (grantId === undefined ? id : `${grantId}/${id}`);

const placeOf = ({ kind, after }: ListQuery, { keys }: CallContext): EntityKey | undefined => {
  if (after === undefined) return undefined;
  const [first = '', second] = after.split('/', 2);
  return keys.record(second === undefined ? { kind, id: first } : { kind, id: second, grantId: first });
};

/**
 * One list, in the order of its keys, from a key on. An equality of one property and an inequality of keys need no index
 * but that of the property, which the service keeps by itself.
 */
const toQuery = ({ kind, subject }: ListQuery, after: EntityKey | undefined, limit: number): Query => {
  const list = filterOf('list', 'EQUAL', { stringValue: listName(kind, subject) });
  const from = after ? [filterOf('__key__', 'GREATER_THAN', { keyValue: after })] : [];
  return {
    ...recordsWhere(list, ...from),
    order: [{ property: { name: '__key__' }, direction: 'ASCENDING' }],
    limit: { value: limit },
  };
};

/** Live records after the place, one more than a page has if there are so many. Expired ones may fill whole answers. */
const findLive = async (query: ListQuery, context: CallContext): Promise<readonly FoundRecord[]> => {
  const wanted = query.limit + 1;
  const live: FoundRecord[] = [];
  for (let after = placeOf(query, context); ; ) {
    const limit = wanted - live.length;
    const { results } = await runQuery(toQuery(query, after, limit), context);
    const instant = context.now();
    live.push(...results.map(({ entity }) => toFound(entity)).filter((record) => isLive(record, instant)));
    after = results.at(-1)?.entity.key;
    if (results.length < limit || live.length === wanted || after === undefined) return live;
  }
};

export const listPage = async (query: ListQuery, context: CallContext): Promise<Page> => {
  const live = await repeat(() => findLive(query, context), context.deadline);
  const records = live.slice(0, query.limit);
  const last = records.at(-1);
  return live.length > query.limit && last ? { records, next: toCursor(last) } : { records };
};
