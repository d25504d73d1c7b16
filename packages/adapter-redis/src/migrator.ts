import { randomUUID } from 'node:crypto';
import type { Migrator } from '@carnet/adapter-contract';
import { deadlineIn } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import { addressOf, type RedisStore } from './client-address.ts';
import { createKeyLayout } from './keys.ts';
import { openServer } from './open-server.ts';

/** The only step there is: it says that the data set has begun, and which one it is. */
const stepName = '0001-data-set';

/** When it began, and an id that no other has. */
const createMarker = (): string => `${Date.now()}:${randomUUID()}`;

const toDate = (marker: string | null): Date | null =>
  marker === null ? null : new Date(Number(marker.split(':')[0]));

const removeKeys = async (client: Redis, pattern: string): Promise<void> => {
  for (let cursor = '0'; ; ) {
    const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
    // One at a time: in a Cluster they are in different slots.
    await Promise.all(keys.map((key) => client.unlink(key)));
    if (next === '0') return;
    cursor = next;
  }
};

/** How long removing everything may take. */
const removalMilliseconds = 600_000;

/** Redis has no schema. The migration writes the marker, which distinguishes a complete data set from one that was lost. */
export const openMigrator = async (store: RedisStore): Promise<Migrator> => {
  const address = await addressOf(store);
  const keys = createKeyLayout(address.prefix);
  const server = openServer(address, keys);
  const ask = <T>(send: (client: Redis) => Promise<T>) =>
    server.call(keys.marker, send, deadlineIn(address.timeoutMilliseconds));

  try {
    await server.check(deadlineIn(address.timeoutMilliseconds));
  } catch (error) {
    await server.close();
    throw error;
  }

  return {
    onlyByHand: true,
    async status() {
      const marker = await ask((client) => client.get(keys.marker));
      return [{ name: stepName, appliedAt: toDate(marker) }];
    },
    async up() {
      const isSet = await ask((client) => client.set(keys.marker, createMarker(), 'NX'));
      return isSet === null ? [] : [stepName];
    },
    async down() {
      // The marker first: from here on the processes that are still running are refused.
      const removed = await ask((client) => client.del(keys.marker));
      await server.callEach((client) => removeKeys(client, keys.pattern), deadlineIn(removalMilliseconds));
      return removed === 0 ? undefined : stepName;
    },
    close: () => server.close(),
  };
};
