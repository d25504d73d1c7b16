import { CarnetError } from '../errors.ts';
import type { ClientStore } from './client-store.ts';

/** How long the number of clients is remembered, in milliseconds: another process may add and remove some. */
const rememberedMs = 5_000;
const pageSize = 500;

/** Counts no further than `most`. */
const count = async ({ list }: Pick<ClientStore, 'list'>, most: number): Promise<number> => {
  let found = 0;
  for (let after: string | undefined; ; ) {
    const page = await list({ limit: pageSize, after });
    found += page.records.length;
    after = page.next;
    if (after === undefined || found >= most) return found;
  }
};

/** Refuses a new client of a store that has `most`. Processes that create clients at the same time may exceed it by a few. */
export const withClientLimit = (
  store: ClientStore,
  most: number | undefined,
  now = () => performance.now(),
): ClientStore => {
  if (most === undefined) return store;
  let free = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  const assertFree = async (): Promise<void> => {
    if (now() - countedAt > rememberedMs) {
      countedAt = now();
      free = most - (await count(store, most));
    }
    if (free > 0) return;
    throw new CarnetError('request_forbidden', `This issuer has ${most} clients, the most that it may have.`);
  };
  return {
    ...store,
    async create(record, also) {
      await assertFree();
      free -= 1;
      try {
        await store.create(record, also);
      } catch (error) {
        free += 1;
        throw error;
      }
    },
  };
};
