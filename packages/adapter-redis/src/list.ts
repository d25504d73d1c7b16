import type { FoundRecord, ListQuery, Page } from '@carnet/adapter-contract';
import type { CommitContext } from './commit.ts';
import { suspectScript } from './index-scripts.ts';
import { keyOfMember, keysOfList } from './keys.ts';
import { parseRecord } from './record.ts';
import { runScript } from './script.ts';

const readMembers = (ids: string, after: string | undefined, count: number, { server, deadline }: CommitContext) =>
  server.call(
    ids,
    async (client) => {
      const from = after === undefined ? '-' : `(${after}`;
      return (await client.call('ZRANGE', [ids, from, '+', 'BYLEX', 'LIMIT', 0, count])) as readonly string[];
    },
    deadline,
  );

/** Removes entries without a record. They are cleaned up when they are seen; correctness does not depend on it. */
const suspect = async (list: string, members: readonly string[], { server, now, deadline }: CommitContext) => {
  if (members.length === 0) return;
  const keys = keysOfList(list);
  const args = [`${now}`, list, ...members];
  await server.call(keys[0], (client) => runScript(client, suspectScript, keys, args), deadline).catch(() => undefined);
};

/** The records of some entries of a list; `undefined` if the record is missing or was removed from the list. */
const readListed = async (
  list: string,
  members: readonly string[],
  { kind }: ListQuery,
  { server, keys, now, deadline }: CommitContext,
): Promise<readonly (FoundRecord | undefined)[]> => {
  const recordKeys = members.map((member) => keyOfMember(kind, member));
  const hashes = await server.hashes(recordKeys.map(keys.record), deadline);
  return recordKeys.map((key, i) => {
    const found = parseRecord(key, hashes[i] ?? [], now);
    return found?.list === list ? found.record : undefined;
  });
};

/**
 * The cursor is the last entry of the previous page, so that inserts and removals in between do not shift the next
 * page.
 */
export const listPage = async (query: ListQuery, context: CommitContext): Promise<Page> => {
  const list = context.keys.listOf(query);
  if (list === undefined) throw new TypeError(`There is no list of the kind ${query.kind}.`);
  const [ids] = keysOfList(list);
  const found: { readonly record: FoundRecord; readonly member: string }[] = [];
  const stale: string[] = [];
  const count = query.limit + 1;
  for (let after = query.after; found.length < count; ) {
    const members = await readMembers(ids, after, count, context);
    for (const [i, record] of (await readListed(list, members, query, context)).entries()) {
      const member = members[i] as string;
      if (record) found.push({ record, member });
      else stale.push(member);
    }
    if (members.length < count) break;
    after = members.at(-1);
  }
  await suspect(list, stale, context);
  const page = found.slice(0, query.limit);
  const records = page.map(({ record }) => record);
  // One more than the page holds: there is a next one.
  return found.length > query.limit ? { records, next: page.at(-1)?.member } : { records };
};
