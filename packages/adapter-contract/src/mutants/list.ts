import { type FoundRecord, kinds, type ListQuery } from '../port.ts';
import { listAll, type Mutant, mapKey, override, withAnswers, withRecords } from './mutant.ts';

/** Pages cut from everything that matches, by a cursor of the mutant's own. */
const paging =
  (
    cut: (all: readonly FoundRecord[], query: ListQuery) => { records: readonly FoundRecord[]; next?: string },
  ): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, {
      list: async (query) => cut(await listAll(adapter, { ...query, after: undefined }), query),
    });

const byOffset = (all: readonly FoundRecord[], { limit, after }: ListQuery) => {
  const end = Number(after ?? 0) + limit;
  return { records: all.slice(end - limit, end), next: end < all.length ? String(end) : undefined };
};

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
    name: 'lists-nothing-without-a-filter',
    breaks: 'list-walks-a-kind-without-filters',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => ((query.subject ?? query.clientId) ? adapter.list(query) : { records: [] }),
      }),
  },
  {
    name: 'lists-every-kind',
    breaks: 'list-walks-a-kind-without-filters',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => {
          if (query.kind !== 'client') return adapter.list(query);
          const all = await Promise.all(kinds.map((kind) => listAll(adapter, { ...query, kind, after: undefined })));
          return byOffset(all.flat(), query);
        },
      }),
  },
  {
    name: 'filters-by-subject-or-client-not-both',
    breaks: 'list-filters-exactly',
    wrap: (adapter) =>
      override(adapter, { list: (query) => adapter.list(query.subject ? { ...query, clientId: undefined } : query) }),
  },
  {
    name: 'filters-without-case',
    breaks: 'list-filters-exactly',
    wrap: (adapter) => {
      const real = new Map<string, FoundRecord['subject']>();
      const store = withRecords(adapter, (record) => {
        real.set(mapKey(record), record.subject);
        return { ...record, subject: record.subject?.toLowerCase() };
      });
      const answering = withAnswers(store, (found) => ({ ...found, subject: real.get(mapKey(found)) }));
      return override(answering, {
        list: (query) => answering.list({ ...query, subject: query.subject?.toLowerCase() }),
      });
    },
  },
  {
    name: 'filters-without-trailing-spaces',
    breaks: 'list-filters-exactly',
    wrap: (adapter) => {
      const real = new Map<string, FoundRecord['clientId']>();
      const store = withRecords(adapter, (record) => {
        real.set(mapKey(record), record.clientId);
        return { ...record, clientId: record.clientId?.trimEnd() };
      });
      const answering = withAnswers(store, (found) => ({ ...found, clientId: real.get(mapKey(found)) }));
      return override(answering, {
        list: (query) => answering.list({ ...query, clientId: query.clientId?.trimEnd() }),
      });
    },
  },
  {
    name: 'joins-subject-and-client-by-a-colon',
    breaks: 'list-tells-subject-from-client',
    wrap: (adapter) =>
      override(adapter, {
        list: async (query) => {
          const { kind, subject, clientId } = query;
          if (subject === undefined || clientId === undefined) return adapter.list(query);
          const all = await listAll(adapter, { kind, limit: 500 });
          const joined = (of: { subject?: string; clientId?: string }) => `${of.subject}:${of.clientId}`;
          return byOffset(
            all.filter((found) => joined(found) === joined(query)),
            query,
          );
        },
      }),
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
