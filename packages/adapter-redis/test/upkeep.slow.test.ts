import type { StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import { openRedisAdapter } from '@carnet/adapter-redis';
import { startRedis, startRedisCluster } from '@carnet/test-servers';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, test } from 'vitest';
import { slotOf } from '../src/hash-slot.ts';
import { createKeyLayout } from '../src/keys.ts';
import { freshRecord, keyOf, migrateUp, put, readOne, walk } from './data-set.ts';

const keys = createKeyLayout('carnet:');
const [minute, hour] = [60_000, 3_600_000];

/** One server, or a Cluster; and a clock that stands until it is moved. */
const servers = [
  { name: 'one server', start: startRedis, connect: ({ port }: { port: number }) => new Redis(port) },
  {
    name: 'a Cluster',
    start: startRedisCluster,
    connect: ({ nodes }: { nodes: readonly { port: number }[] }) =>
      new Redis.Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port }))),
  },
] as const;

describe.each(servers)('what is kept up on $name', async ({ name, start, connect }) => {
  const server = await start();
  afterAll(() => server.close());
  await migrateUp(server.url);
  const raw = connect(server as never);
  afterAll(() => raw.disconnect());

  const openAt = async (instant: number) => {
    const clock = { now: instant };
    const store = await openRedisAdapter({ url: server.url, now: () => clock.now });
    afterAll(() => store.close());
    return { clock, store };
  };
  const putEach = async (store: StorageAdapter, records: readonly StoredRecord[]) => {
    for (const record of records) await store.commit([put(record)]);
  };
  const size = (key: string) => raw.zcard(key);
  /** In milliseconds; `null`: never. */
  const timeToLive = async (key: string) => {
    const left = await raw.pttl(key);
    return left === -1 ? null : left;
  };

  test('a record is there until its instant and absent from it on, by the clock of the process', async () => {
    // Long ago by the clock of the server, which plays no part.
    const { clock, store } = await openAt(1_000);
    const record = freshRecord({ expiresAt: new Date(2_000) });
    await putEach(store, [record]);
    clock.now = 1_999;
    expect(await readOne(store, record)).toBeDefined();
    clock.now = 2_000;
    expect(await readOne(store, record)).toBeUndefined();
    expect(await store.commit([{ type: 'claim', record: { ...record, expiresAt: new Date(3_000) } }])).toBeUndefined();
    expect(await readOne(store, record)).toBeDefined();
  });

  test('Redis removes a record soon after its expiry, and keeps one that has none', async () => {
    const { store } = await openAt(1_000);
    const record = freshRecord({ expiresAt: new Date(1_000 + minute) });
    const key = keys.record(record);
    const expectLeft = async (milliseconds: number) => {
      const left = await timeToLive(key);
      expect(left).toBeGreaterThan(milliseconds);
      expect(left).toBeLessThanOrEqual(milliseconds + 10_000);
    };
    await putEach(store, [record]);
    await expectLeft(minute);
    await store.commit([{ type: 'merge', key: keyOf(record), members: ['a'], expiresAt: new Date(1_000 + hour) }]);
    await expectLeft(hour);
    await store.commit([{ type: 'consume', key: keyOf(record), at: new Date() }]);
    await expectLeft(hour);
    await putEach(store, [{ ...record, expiresAt: null }]);
    expect(await timeToLive(key)).toBeNull();
    await putEach(store, [{ ...record, expiresAt: new Date(1_000) }]);
    expect(await raw.exists(key)).toBe(0);
  });

  test('the index of a grant forgets the expired, and goes with its last record', async () => {
    const { clock, store } = await openAt(0);
    const grantId = freshRecord().id;
    const index = keys.ofGrant(grantId);
    const tokens = (count: number, expiry: number) =>
      Array.from({ length: count }, () => freshRecord({ grantId, expiresAt: new Date(expiry) }));
    await putEach(store, [...tokens(1, 24 * hour), ...tokens(20, minute)]);
    expect(await size(index)).toBe(21);
    expect(await timeToLive(index)).toBeGreaterThan(23 * hour);
    clock.now = hour;
    await putEach(store, tokens(1, 2 * hour));
    expect(await size(index)).toBe(2);
    expect(await timeToLive(index)).toBeLessThanOrEqual(23 * hour + minute);
    await store.commit([{ type: 'revoke', grantId }]);
    expect(await raw.exists(index)).toBe(0);
  });

  test('a list forgets the expired, and goes with its last record', async () => {
    const { clock, store } = await openAt(0);
    const subject = freshRecord().id;
    const list = keys.listOf({ kind: 'session', subject });
    const sessions = (count: number, expiry: number | null) =>
      Array.from({ length: count }, () =>
        freshRecord({ kind: 'session', subject, expiresAt: expiry === null ? null : new Date(expiry) }),
      );
    await putEach(store, sessions(30, minute));
    expect([await size(`${list}:ids`), await size(`${list}:expiries`)]).toEqual([30, 30]);
    expect(await timeToLive(`${list}:ids`)).toBeLessThanOrEqual(2 * minute);
    clock.now = hour;
    const [later, lasting] = [sessions(1, 2 * hour), sessions(1, null)];
    await putEach(store, later);
    expect([await size(`${list}:ids`), await size(`${list}:expiries`)]).toEqual([1, 1]);
    expect(await walk(store, 'session', subject)).toEqual(later.map(({ id }) => id));
    await putEach(store, lasting);
    expect(await timeToLive(`${list}:ids`)).toBeNull();
    expect(await timeToLive(`${list}:expiries`)).toBeNull();
  });

  test('a record whose expiry was moved stays in its list for as long', async () => {
    const { clock, store } = await openAt(0);
    const subject = freshRecord().id;
    const record = freshRecord({ kind: 'session', subject, expiresAt: new Date(minute) });
    await putEach(store, [record]);
    await store.commit([{ type: 'merge', key: keyOf(record), members: [], expiresAt: new Date(4 * hour) }]);
    clock.now = 2 * hour;
    // Each put is an occasion to forget what seems to have expired.
    await putEach(store, [freshRecord({ kind: 'session', subject, expiresAt: new Date(3 * hour) })]);
    expect(await walk(store, 'session', subject)).toContain(record.id);
  });

  test('entries whose records are gone are in no page, and go themselves', async () => {
    const { clock, store } = await openAt(0);
    const subject = freshRecord().id;
    const ids = `${keys.listOf({ kind: 'consent', subject })}:ids`;
    const records = Array.from({ length: 7 }, () => freshRecord({ kind: 'consent', subject, expiresAt: null }));
    await putEach(store, records);
    const [kept, back, ...gone] = records as [StoredRecord, StoredRecord, ...StoredRecord[]];
    for (const { kind, id } of [back, ...gone]) await raw.del(keys.record({ kind, id }));
    expect(await walk(store, 'consent', subject)).toEqual([kept.id]);
    // An entry may be there a moment before its record: none goes at once, nor when it was put again.
    expect(await size(ids)).toBe(7);
    await putEach(store, [back]);
    await raw.del(keys.record({ kind: back.kind, id: back.id }));
    for (const left of [2, 1]) {
      clock.now += hour;
      expect(await walk(store, 'consent', subject)).toEqual([kept.id]);
      expect(await size(ids)).toBe(left);
    }
  });

  test('a record is only in the list of its last subject', async () => {
    const { clock, store } = await openAt(0);
    const [one, other] = [freshRecord().id, freshRecord().id];
    const record = freshRecord({ kind: 'consent', expiresAt: null });
    for (const subject of [one, other, one]) await putEach(store, [{ ...record, subject }]);
    expect([await walk(store, 'consent', one), await walk(store, 'consent', other)]).toEqual([[record.id], []]);
    clock.now = hour;
    await walk(store, 'consent', other);
    expect(await size(`${keys.listOf({ kind: 'consent', subject: other })}:ids`)).toBe(0);
  });

  test.skipIf(name === 'one server')('what has to change together is in one hash slot', async () => {
    const places = ['grant', 'a}b', '{a}', 'ü', '{}', 'a:b'];
    for (const grantId of places) {
      const together = [
        keys.ofGrant(grantId),
        keys.record({ kind: 'grant', id: grantId, grantId }),
        keys.record({ kind: 'access_token', id: '}{', grantId }),
      ];
      const slots = await Promise.all(together.map((key) => raw.cluster('KEYSLOT', key)));
      expect(slots).toEqual(together.map(() => slots[0]));
      expect(slots).toEqual(together.map(slotOf));
    }
  });
});
