import { openAdapter } from '@carnet/adapter-redis';
import { startRedisCluster } from '@carnet/test-servers';
import { describe, expect, test } from 'vitest';
import { claim, closing, freshRecord, keyOf, succeeds } from './data-set.ts';
import { replicated } from './replication.ts';

/** The key of a record that belongs to no grant. */
const redisKeyOf = ({ kind, id }: { kind: string; id: string }) => `carnet:{${id}}:${kind}:${id}`;

describe.each(['kill', 'pause'] as const)('a master that is lost (%s)', (loss) => {
  test('its replica replaces the master, and a code that the replica knows as used stays used', async () => {
    const cluster = await closing(startRedisCluster());
    const store = await closing(openAdapter({ url: `${cluster.url}?timeout=2000` }));
    const used = Array.from({ length: 30 }, () => freshRecord());
    for (const record of used) await store.commit([claim(record)]);
    const [first] = used as [(typeof used)[0]];
    const lost = await cluster.masterOf(redisKeyOf(first));
    await replicated(lost);
    await lost[loss]();
    await expect(store.commit([claim(first)])).rejects.toThrow();
    await succeeds(() => store.commit([claim(freshRecord({ id: `${first.id}-x` })), claim(first)]));
    await succeeds(() => store.ping());
    for (const record of used) expect(await store.commit([claim(record)])).toMatchObject({ reason: 'exists' });
    const found = await store.read(used.map(keyOf));
    expect(found.every((record) => record !== undefined)).toBe(true);
    expect((await cluster.masterOf(redisKeyOf(first))).port).not.toBe(lost.port);
  }, 90_000);
});
