import { type StorageAdapter, type StoredRecord, StoreUnfitError, type Write } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-redis';
import type { RedisServer } from '@carnet/test-servers';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { slotOf } from '../src/hash-slot.ts';
import { claim, consume, freshRecord, keyOf, put, readOne, remove } from './data-set.ts';
import { replicaOf, replicated, replicatedRedis } from './replication.ts';

/** All in one place, so that they have the same master. */
const grantId = 'place';
const placeKey = `carnet:{${grantId}}:grant:${grantId}`;
/** A grant of which there is nothing, in the same place. */
const noGrantId = Array.from({ length: 200_000 }, (_, i) => `none-${i}`).find(
  (id) => slotOf(`{${id}}`) === slotOf(placeKey),
) as string;
const session = (fields: Partial<StoredRecord> = {}) => freshRecord({ kind: 'session', grantId, ...fields });
const mebibyte = 'x'.repeat(1024 * 1024);

describe.each(Object.entries(replicatedRedis))('what is taken back on %s', async (name, start) => {
  const redis = await start();
  afterAll(() => redis.close());
  const opened: StorageAdapter[] = [];
  let store: StorageAdapter;
  let master: RedisServer;
  let replica: RedisServer;

  const open = async (query = '?timeout=2000') => {
    const adapter = await openAdapter({ url: redis.url + query });
    opened.push(adapter);
    return adapter;
  };
  beforeEach(async () => {
    store = await open();
    master = await redis.masterOf(placeKey);
    await replicated(master);
    replica = await replicaOf(master, redis.nodes);
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  const pauseReplica = () => {
    replica.pause();
    onTestFinished(() => replica.resume());
  };
  /** The master was killed: whoever takes its place has these used up, and so have they both when it is back. */
  const expectUsedUp = async (records: readonly StoredRecord[]) => {
    await vi.waitUntil(async () => (await redis.masterOf(placeKey)).port !== master.port, { timeout: 40_000 });
    const found = await vi.waitFor(() => store.read(records.map(keyOf)), { timeout: 30_000 });
    expect(found.filter((record) => record?.consumedAt === null)).toEqual([]);
    await vi.waitFor(() => store.commit([put(session())]), { timeout: 30_000 });
    await master.start();
    await replicated(await redis.masterOf(placeKey));
    for (const [i, record] of records.entries())
      expect((await store.commit([consume(record)]))?.reason).toBe(found[i] ? 'consumed' : 'absent');
  };
  const isConsumedAtMaster = async ({ id }: StoredRecord) =>
    (await master.command('HGET', `carnet:{${grantId}}:session:${id}`, 'consumed')) !== null;

  test('the adapter declares that revoked records never return, unless replicas are not waited for or a master keeps no file', async () => {
    const promised = { durable: false, neverRevives: true };
    expect(store.capabilities).toMatchObject(promised);
    expect((await open('?replicas=0')).capabilities).toMatchObject({ ...promised, neverRevives: false });
    await master.command('CONFIG', 'SET', 'appendonly', 'no');
    expect((await open()).capabilities).toMatchObject({ ...promised, neverRevives: false });
    await expect(store.ping()).rejects.toThrow(StoreUnfitError);
    await expect(store.ping()).rejects.toThrow(/Set appendonly to yes/);
    await master.command('CONFIG', 'SET', 'appendonly', 'yes');
    await vi.waitFor(() => store.ping(), { timeout: 30_000 });
  });

  test('a revocation is answered once a replica has it, and delays no other call', async () => {
    const [used, removed, other] = [session(), session(), session()];
    await store.commit([put(used), put(removed), put(other)]);
    await replicated(master);
    pauseReplica();
    const takingBack = [
      [consume(used)],
      [put(session()), remove(removed)],
      [{ type: 'revoke', grantId: noGrantId } as const],
    ];
    let settled = 0;
    const outcomes = takingBack.map((writes) =>
      store
        .commit(writes)
        .then(String, String)
        .finally(() => {
          settled += 1;
        }),
    );
    expect(await store.commit([put(session()), claim(session())])).toBeUndefined();
    expect(await store.commit([{ type: 'merge', key: keyOf(other), members: ['m'] }])).toBeUndefined();
    expect(await readOne(store, other)).toMatchObject({ members: ['m'] });
    expect(settled).toBe(0);
    expect(await outcomes[0]).toMatch(/0 of 1 Redis replicas confirmed .* may come back. Restart the missing replicas/);
    for (const outcome of outcomes) expect(await outcome).toMatch(/Error: /);
    replica.resume();
    await vi.waitFor(() => store.commit([remove(session())]), { timeout: 30_000 });
  });

  test('a repeated revocation is answered once a replica has the first one', async () => {
    const used = session();
    await store.commit([put(used)]);
    pauseReplica();
    for (const writes of [[consume(used)], [consume(used)], [remove(session())], [put(session()), consume(used)]])
      await expect(store.commit(writes)).rejects.toThrow();
    replica.resume();
    await vi.waitFor(
      async () => expect(await store.commit([consume(used)])).toMatchObject({ reason: 'consumed' }),
      30_000,
    );
  });

  /** What a replica gets is what the file gets; nothing else is waited for by later versions of Redis. */
  const written = async () => {
    const [, size] = /^aof_current_size:(\d+)/m.exec(`${await master.command('INFO', 'persistence')}`) ?? [];
    return Number(size);
  };

  test('gives the replicas something to confirm though nothing changes, and leaves nothing behind', async () => {
    const [used, absent] = [session({ payload: '"kept"' }), session()];
    await store.commit([put(used)]);
    await store.commit([consume(used)]);
    const before = await readOne(store, used);
    const changeless: (readonly Write[])[] = [
      [consume(used)],
      [consume(absent)],
      [remove(absent)],
      [{ type: 'revoke', grantId: noGrantId }],
    ];
    for (const writes of changeless) {
      const size = await written();
      await store.commit(writes);
      expect(await written()).toBeGreaterThan(size);
    }
    expect(await readOne(store, used)).toEqual(before);
    expect(await store.commit([consume(absent)])).toMatchObject({ reason: 'absent' });
    const gone = [`carnet:{${noGrantId}}:revoke`, `carnet:{${grantId}}:session:${absent.id}`];
    for (const key of gone) expect(await master.command('EXISTS', key)).toBe(0);
  });

  test('stays so when the master is killed that has just answered, and what it has sent is still on its way', async () => {
    const used = session();
    await store.commit([put(used)]);
    await replicated(master);
    pauseReplica();
    // More than fits into what the system keeps for the replica: the rest ends with the master.
    for (let i = 0; i < 16; i++) await store.commit([put(session({ payload: JSON.stringify(mebibyte) }))]);
    const answered = store.commit([consume(used)]);
    const killed = answered.then(() => master.kill());
    await Promise.race([killed, vi.waitUntil(() => isConsumedAtMaster(used), { timeout: 5_000 })]);
    replica.resume();
    expect(await answered).toBeUndefined();
    await killed;
    await expectUsedUp([used]);
  }, 120_000);

  test('stays so when the master is killed in the middle of many writes', async () => {
    const sessions = Array.from({ length: 60 }, () => session());
    await store.commit(sessions.map(put));
    await replicated(master);
    const usedUp: StoredRecord[] = [];
    const calls = sessions.flatMap((record) => [
      store.commit([put(session())]),
      store.commit([consume(record)]).then(() => {
        usedUp.push(record);
        return usedUp.length === 20 ? master.kill() : undefined;
      }),
    ]);
    await Promise.allSettled(calls);
    expect(usedUp.length).toBeGreaterThanOrEqual(20);
    await expectUsedUp(usedUp);
  }, 120_000);

  test.runIf(name === 'Redis with a Sentinel')('needs the permission of the README and no other', async () => {
    const commands =
      'info get evalsha script|load hgetall hmget hkeys hset hdel del pexpire persist wait quit config|get';
    const rules = `${commands} zadd zrem zrange zrangebyscore zrevrange`.split(' ').map((each) => `+${each}`);
    for (const node of redis.nodes)
      await node.command('ACL', 'SETUSER', 'least', 'on', '>secret', '~carnet:*', '-@all', ...rules);
    const least = await openAdapter({ url: redis.url.replace('//', '//least:secret@') });
    opened.push(least);
    const used = session();
    await least.commit([put(used)]);
    expect(await least.commit([consume(used)])).toBeUndefined();
    expect(await least.commit([consume(used)])).toMatchObject({ reason: 'consumed' });
  });
});
