import { type FoundRecord, type ListQuery, listedKinds, type RecordKey } from '../port.ts';
import { listAll, type Mutant, mapKey, override, withAnswers, withRecords, withWrites } from './mutant.ts';

/** A cursor that is a count: right while no record changes. */
export const byOffset = (all: readonly FoundRecord[], { limit, after }: ListQuery) => {
  const end = Number(after ?? 0) + limit;
  return { records: all.slice(end - limit, end), next: end < all.length ? String(end) : undefined };
};

/** Pages cut from everything that matches, by a cursor of the mutant's own. */
const paging =
  (
    cut: (all: readonly FoundRecord[], query: ListQuery) => { records: readonly FoundRecord[]; next?: string },
  ): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, {
      list: async (query) => cut(await listAll(adapter, { ...query, after: undefined }), query),
    });

const isOver = ({ expiresAt }: FoundRecord): boolean => expiresAt !== null && expiresAt.getTime() <= Date.now();

export const listMutants: readonly Mutant[] = [
  {
    name: 'lists-without-members',
    breaks: 'list-answers-whole-records',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => {
          const page = await adapter.list(query);
          return { ...page, records: page.records.map((found) => ({ ...found, members: [] })) };
        },
      }),
  },
  {
    name: 'lists-one-more-than-asked',
    breaks: 'list-fills-its-pages',
    wrap: (adapter) => override(adapter, { list: (query) => adapter.list({ ...query, limit: query.limit + 1 }) }),
  },
  {
    name: 'lists-ten-at-most-and-forgets-the-rest',
    breaks: 'list-fills-its-pages',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => {
          const { records, next } = await adapter.list(query);
          return { records: records.slice(0, 10), next };
        },
      }),
  },
  {
    name: 'takes-a-full-page-for-one-of-many',
    breaks: 'list-ends-without-next',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => {
          const { records, next } = await adapter.list(query);
          return { records, next: next ?? (records.length === query.limit ? records.at(-1)?.id : undefined) };
        },
      }),
  },
  {
    name: 'lists-one-page-of-a-whole-kind',
    breaks: 'list-walks-a-whole-kind',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => {
          const page = await adapter.list(query);
          return query.subject === undefined ? { records: page.records } : page;
        },
      }),
  },
  {
    name: 'lists-none-that-has-a-subject',
    breaks: 'list-walks-a-whole-kind',
    wrap: paging((all, query) =>
      byOffset(
        all.filter(({ subject }) => subject === query.subject),
        query,
      ),
    ),
  },
  {
    name: 'lists-only-clients-whole',
    breaks: 'list-walks-a-whole-kind',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) =>
          query.kind === 'client' || query.subject !== undefined ? adapter.list(query) : { records: [] },
      }),
  },
  {
    name: 'lists-whole-kinds-together',
    breaks: 'list-walks-a-whole-kind',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => {
          if (query.subject !== undefined) return adapter.list(query);
          const each = await Promise.all(listedKinds.map((kind) => listAll(adapter, { kind, limit: 500 })));
          return byOffset(each.flat(), query);
        },
      }),
  },
  {
    name: 'lists-every-kind-among-clients',
    breaks: 'list-walks-a-whole-kind',
    wrap: (adapter) => {
      const keys = new Map<string, RecordKey>();
      const store = withWrites(adapter, (write) => {
        if ('record' in write) keys.set(mapKey(write.record), write.record);
        return write;
      });
      return override(store, {
        list: async (query) => {
          if (query.kind !== 'client') return adapter.list(query);
          const all = await adapter.read([...keys.values()]);
          return byOffset(
            all.filter((found) => found !== undefined),
            query,
          );
        },
      });
    },
  },
  {
    name: 'lists-the-expired',
    breaks: 'list-leaves-out-the-expired',
    wrap: (adapter) => {
      const given = new Map<string, Date | null>();
      const store = withRecords(adapter, (record) => {
        given.set(mapKey(record), record.expiresAt);
        return { ...record, expiresAt: null };
      });
      const answering = withAnswers(store, (found) => ({ ...found, expiresAt: given.get(mapKey(found)) ?? null }));
      return override(answering, {
        read: async (keys) => (await answering.read(keys)).map((found) => (found && isOver(found) ? undefined : found)),
      });
    },
  },
  { name: 'pages-by-offset', breaks: 'list-is-stable-under-changes', wrap: paging(byOffset) },
  {
    name: 'finds-its-place-by-the-last-record',
    breaks: 'list-is-stable-under-changes',
    wrap: paging((all, { limit, after }) => {
      // Removed meanwhile, the record is at -1: the walk begins again.
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const records = all.slice(start, start + limit);
      return { records, next: start + limit < all.length ? records.at(-1)?.id : undefined };
    }),
  },
];
