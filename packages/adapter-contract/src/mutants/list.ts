import { type FoundRecord, type ListQuery, listedKinds, type Page } from '../port.ts';
import { isOver, withoutExpiry } from './expiry.ts';
import { listAll, type Mutant, mutantsOf, override, remembering, withAnswers } from './mutant.ts';

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

/** Whole kinds are listed in another order. */
const ordering = (compare: (a: string, b: string) => number): Mutant['wrap'] =>
  paging((all, query) => {
    if (query.subject !== undefined) return byOffset(all, query);
    const { limit, after } = query;
    const sorted = all.toSorted((a, b) => compare(a.id, b.id));
    const rest = after === undefined ? sorted : sorted.filter(({ id }) => compare(id, after) > 0);
    const records = rest.slice(0, limit);
    return { records, next: rest.length > limit ? records.at(-1)?.id : undefined };
  });

/** Each page is changed. */
const changingPages =
  (change: (page: Page, query: ListQuery) => Page): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, { list: async (query) => change(await adapter.list(query), query) });

export const listMutants = mutantsOf({
  'list-answers-whole-records': {
    'lists-without-members': changingPages((page) => ({
      ...page,
      records: page.records.map((found) => ({ ...found, members: [] })),
    })),
  },
  'list-fills-its-pages': {
    'lists-one-more-than-asked': (adapter) =>
      override(adapter, { list: (query) => adapter.list({ ...query, limit: query.limit + 1 }) }),
    'lists-ten-at-most-and-forgets-the-rest': changingPages(({ records, next }) => ({
      records: records.slice(0, 10),
      next,
    })),
  },
  'list-ends-without-next': {
    'takes-a-full-page-for-one-of-many': changingPages(({ records, next }, { limit }) => ({
      records,
      next: next ?? (records.length === limit ? records.at(-1)?.id : undefined),
    })),
  },
  'list-walks-a-whole-kind': {
    'lists-one-page-of-a-whole-kind': changingPages((page, { subject }) =>
      subject === undefined ? { records: page.records } : page,
    ),
    'lists-none-that-has-a-subject': paging((all, query) =>
      byOffset(
        all.filter(({ subject }) => subject === query.subject),
        query,
      ),
    ),
    'lists-only-clients-whole': (adapter) =>
      override(adapter, {
        list: async (query) =>
          query.kind === 'client' || query.subject !== undefined ? adapter.list(query) : { records: [] },
      }),
    'lists-whole-kinds-together': (adapter) =>
      override(adapter, {
        list: async (query) => {
          if (query.subject !== undefined) return adapter.list(query);
          const each = await Promise.all(listedKinds.map((kind) => listAll(adapter, { kind, limit: 500 })));
          return byOffset(each.flat(), query);
        },
      }),
    'lists-every-kind-among-clients': remembering((adapter, keys) => ({
      list: async (query) => {
        if (query.kind !== 'client') return adapter.list(query);
        const all = await adapter.read([...keys.values()]);
        return byOffset(
          all.filter((found) => found !== undefined),
          query,
        );
      },
    })),
  },
  'list-of-a-kind-is-in-the-order-of-ids': {
    'lists-in-the-order-of-a-language': ordering((a, b) => a.localeCompare(b)),
    'lists-in-the-reverse-order': ordering((a, b) => (a < b ? 1 : -1)),
  },
  'list-leaves-out-the-expired': {
    'lists-the-expired': (adapter) => {
      const { store, expiryOf } = withoutExpiry(adapter);
      const answering = withAnswers(store, (found) => ({ ...found, expiresAt: expiryOf(found) }));
      return override(answering, {
        read: async (keys) =>
          (await answering.read(keys)).map((found) => (found && isOver(found.expiresAt) ? undefined : found)),
      });
    },
  },
  'list-is-stable-under-changes': {
    'pages-by-offset': paging(byOffset),
    'finds-its-place-by-the-last-record': paging((all, { limit, after }) => {
      // Removed meanwhile, the record is at -1: the walk begins again.
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      const records = all.slice(start, start + limit);
      return { records, next: start + limit < all.length ? records.at(-1)?.id : undefined };
    }),
  },
});
