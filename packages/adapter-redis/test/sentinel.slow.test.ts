import { openAdapter } from '@carnet/adapter-redis';
import { startRedisSentinel } from '@carnet/test-servers';
import { afterAll, expect, test } from 'vitest';
import { claim, freshRecord } from './data-set.ts';
import { replicated } from './replication.ts';

const sentinel = await startRedisSentinel();
afterAll(() => sentinel.close());

test('a master that is lost is replaced by its replica, and what the replica has got is used up for good', async () => {
  const store = await openAdapter({ url: `${sentinel.url}?timeout=2000` });
  const used = freshRecord();
  await store.commit([claim(used)]);
  const lost = await sentinel.master();
  await replicated(lost);
  await lost.kill();
  await expect(store.commit([claim(used)])).rejects.toThrow();
  await expect.poll(() => store.commit([claim(used)]).then((conflict) => conflict?.reason, String)).toBe('exists');
  // The one that was lost comes back, as a replica: nobody asks it.
  await lost.start();
  await expect.poll(async () => `${await lost.command('INFO')}`).toContain('role:slave');
  await store.ping();
  expect(await store.commit([claim(freshRecord())])).toBeUndefined();
  await store.close();
}, 90_000);
