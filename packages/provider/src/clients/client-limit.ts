import { createSerialiser } from '@carnet/adapter-contract/kit';
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
export const withClientLimit = (store: ClientStore, most: number | undefined): ClientStore => {
  if (most === undefined) return store;
  const inTurn = createSerialiser();
  let free = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  const takePlace = async (): Promise<void> => {
    if (performance.now() - countedAt > rememberedMs) {
      free = most - (await count(store, most));
      countedAt = performance.now();
    }
    if (free <= 0)
      throw new CarnetError('request_forbidden', `This issuer has ${most} clients, the most that it may have.`);
    free -= 1;
  };
  return {
    ...store,
    async create(record, also) {
      await inTurn('', takePlace);
      try {
        await store.create(record, also);
      } catch (error) {
        free += 1;
        throw error;
      }
    },
  };
};
