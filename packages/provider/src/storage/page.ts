import type { FoundRecord, ListQuery, StorageAdapter } from '@carnet/adapter-contract';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Pass it as `after` to get the next page. Absent on the last page. */
  readonly next?: string;
}

export interface PageQuery {
  /** The number of items, 1 to 500. Default 100. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
}

export const maxPageSize = 500;

/** The query of a store. A limit outside of 1 to 500 becomes the nearest one in it. */
export const pageOf = ({ limit = 100, after }: PageQuery): { readonly limit: number; readonly after?: string } => ({
  limit: Math.min(Math.max(Math.trunc(limit), 1), maxPageSize),
  after,
});

/** All records of a list, a page after the other. */
export const listPages = async function* (
  adapter: Pick<StorageAdapter, 'list'>,
  query: ListQuery,
): AsyncGenerator<readonly FoundRecord[]> {
  for (let after: string | undefined; ; ) {
    const { records, next } = await adapter.list({ ...query, after });
    yield records;
    if (next === undefined) return;
    after = next;
  }
};
