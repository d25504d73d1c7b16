import { type RedisServer, startRedis } from '@carnet/test-servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StorageConfig } from './config.ts';
import { migrateAtStart, openMigrators } from './open-storage.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

const configOf = (stores: Partial<StorageConfig>): StorageConfig => ({
  default: redis.url,
  sweepSeconds: 0,
  ...stores,
});

const connections = async (): Promise<number> =>
  `${await redis.command('CLIENT', 'LIST')}`.split('\n').filter((line) => line.includes('name=carnet')).length;

/** The server hears of the end of a connection a moment after the client. */
const expectNoneLeft = () => expect.poll(connections).toBe(0);

test('a store that cannot be opened for migration leaves no connection to the others', async () => {
  const config = configOf({ sessions: 'redis://127.0.0.1:1?timeout=300' });
  await expect(openMigrators(config)).rejects.toThrow();
  await expectNoneLeft();
});

test('a store that cannot be migrated leaves no connection to the others', async () => {
  const config = configOf({ default: 'postgres://carnet@127.0.0.1:1/carnet?timeout=300', sessions: redis.url });
  await expect(migrateAtStart(config, true)).rejects.toThrow();
  await expectNoneLeft();
});
