import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter, openMigrator } from '@carnet/adapter-redis';
import { startRedisCluster } from '@carnet/test-servers';
import { afterAll, expect, test } from 'vitest';
import { claim, closing, freshRecord, keyOf, migrateUp, put, readOne, remove, succeeds } from './data-set.ts';

const cluster = await startRedisCluster();
afterAll(() => cluster.close());

const open = () => closing(openAdapter({ url: cluster.url }));

/** Moves a slot as `redis-cli --cluster reshard` does, and stops in the middle. */
const moveSlot = async (key: string) => {
  const source = await cluster.masterOf(key);
  const target = cluster.nodes.find(({ role, port }) => role === 'master' && port !== source.port);
  if (!target) throw new Error('There is no other master.');
  const slot = `${await source.command('CLUSTER', 'KEYSLOT', key)}`;
  const [sourceId, targetId] = [
    `${await source.command('CLUSTER', 'MYID')}`,
    `${await target.command('CLUSTER', 'MYID')}`,
  ];
  await target.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
  await source.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
  return {
    source,
    async moveKeys() {
      const keys = (await source.command('CLUSTER', 'GETKEYSINSLOT', slot, '1000')) as string[];
      if (keys.length > 0)
        await source.command('MIGRATE', '127.0.0.1', `${target.port}`, '', '0', '5000', 'KEYS', ...keys);
      return keys.length;
    },
    async finish() {
      for (const node of [target, source]) await node.command('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
    },
  };
};

test('a slot on the move is read and written to at both ends, whole or not at all', async () => {
  const store = await open();
  const grantId = 'moving';
  const fresh = () => freshRecord({ grantId });
  const [removed, replaced, merged, left] = [fresh(), fresh(), fresh(), fresh()];
  const records = [removed, replaced, merged, left];
  await store.commit(records.map(put));
  const move = await moveSlot(`{${grantId}}`);
  // All keys at the source: changes are whole there.
  const payload = '"replaced"';
  const changes = [
    remove(removed),
    put({ ...replaced, payload }),
    { type: 'merge', key: keyOf(merged), members: ['m'], expiresAt: new Date(Date.now() + 60_000) },
  ] as const;
  expect(await store.commit(changes)).toBeUndefined();
  expect(await readOne(store, replaced)).toMatchObject({ payload });
  // A new record would have to be where the grant's index is not yet: Redis asks to try again.
  const added = freshRecord({ grantId });
  await expect(store.commit([put(added)])).rejects.toThrow(/TRYAGAIN/);
  expect(await readOne(store, added)).toBeUndefined();
  // A record of no other key is made at the target.
  const single = freshRecord({ id: grantId });
  expect(await store.commit([claim(single)])).toBeUndefined();
  expect(await store.commit([claim(single)])).toMatchObject({ reason: 'exists' });
  expect(await move.moveKeys()).toBeGreaterThan(0);
  expect(await readOne(store, left)).toBeDefined();
  await move.finish();
  await succeeds(() => store.commit([put(added)]));
  expect(await store.commit([{ type: 'revoke', grantId }])).toBeUndefined();
  const found = await store.read([...records, added].map(keyOf));
  expect(found).toEqual(found.map(() => undefined));
});

test('a revocation in a slot on the move is whole or not at all', async () => {
  const store = await open();
  const grantId = 'ending';
  const records = Array.from({ length: 3 }, () => freshRecord({ grantId }));
  await store.commit(records.map(put));
  const move = await moveSlot(`{${grantId}}`);
  expect(await store.commit([{ type: 'revoke', grantId }])).toBeUndefined();
  const found = await store.read(records.map(keyOf));
  expect(found).toEqual(found.map(() => undefined));
  await move.finish();
});

test('a scan during which a slot moves is refused, because it could miss a record', async () => {
  const store = await open();
  const records = Array.from({ length: 20 }, () => freshRecord({ id: `scanned${Math.random()}` }));
  await Promise.all(records.map((record) => store.commit([put(record)])));
  const first = await store.scan({ limit: 1 });
  const move = await moveSlot(`{${records[0]?.id}}`);
  await move.moveKeys();
  await move.finish();
  await succeeds(async () => {
    await expect(store.scan({ limit: 1, after: first.next })).rejects.toThrow('begin the scan again');
  });
  const ids = new Set<string>();
  for (let after: string | undefined, isDone = false; !isDone; isDone = after === undefined) {
    const page = await store.scan({ limit: 100, prefix: 'scanned', after });
    for (const { id } of page.records) ids.add(id);
    after = page.next;
  }
  expect([...ids].sort()).toEqual(records.map(({ id }) => id).sort());
});

test('nodes that evict make the Cluster unfit', async () => {
  const store = await open();
  const [node] = cluster.nodes;
  await node?.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(store.ping()).rejects.toThrow(StoreUnfitError);
  await node?.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  await succeeds(() => store.ping());
});

test('nodes that serve no keys are not fit', async () => {
  const store = await open();
  const [slot, owner] = ['1', await cluster.masterOf(1)];
  for (const node of cluster.nodes) await node.command('CLUSTER', 'DELSLOTS', slot);
  await expect.poll(() => store.ping().then(String, String)).toMatch(/CLUSTERDOWN/);
  await owner.command('CLUSTER', 'ADDSLOTS', slot);
  await succeeds(() => store.ping());
});

test('a Cluster that was emptied goes on', async () => {
  const store = await open();
  const lost = freshRecord();
  await store.commit([put(lost)]);
  for (const node of cluster.nodes.filter(({ role }) => role === 'master')) await node.command('FLUSHALL');
  expect(await readOne(store, lost)).toBeUndefined();
  expect(await store.commit([claim(lost)])).toBeUndefined();
  await store.ping();
});

test('a Cluster goes down with everything on all of its nodes', async () => {
  const store = await open();
  await migrateUp(cluster.url);
  for (let i = 0; i < 50; i++) await store.commit([put(freshRecord({ kind: 'session', subject: `s${i}` }))]);
  const migrator = await closing(openMigrator({ url: cluster.url }));
  expect(await migrator.down()).toBe('0001-data-set');
  for (const node of cluster.nodes.filter(({ role }) => role === 'master'))
    expect(await node.command('DBSIZE')).toBe(0);
});
