import { inspect } from 'node:util';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter, openMigrator } from '@carnet/adapter-redis';
import { startRedis } from '@carnet/test-servers';
import { afterAll, describe, expect, test } from 'vitest';
import { claim, closing, consume, freshRecord, keyOf, migrateUp, put, readOne, remove, succeeds } from './data-set.ts';

const redis = await startRedis();
afterAll(() => redis.close());
const password = 'pass-Wort';
const guarded = await startRedis({ config: { requirepass: password } });
afterAll(() => guarded.close());

const open = (url = redis.url) => closing(openAdapter({ url }));
const startOwn = (config: Record<string, string> = {}) => closing(startRedis({ config }));

/** A data set of its own on the same server. */
const freshUrl = async (base = redis.url) => {
  const url = `${base}?prefix=${freshRecord().id}:`;
  await migrateUp(url);
  return url;
};

const failureOf = async (call: Promise<unknown>): Promise<Error> => {
  const outcome = await call.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  return outcome as Error;
};

const expectUnfit = async (call: Promise<unknown>, message: RegExp) => {
  const failure = await failureOf(call);
  expect(failure.message).toMatch(message);
  expect(failure).toBeInstanceOf(StoreUnfitError);
};

describe('a server that evicts', () => {
  test.each(['allkeys-lru', 'volatile-ttl'])(
    'a server that evicts is refused with %s, and accepted without',
    async (policy) => {
      const url = await freshUrl();
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', policy);
      await expectUnfit(open(url), /maxmemory-policy/);
      await expectUnfit(openMigrator({ url }), /maxmemory-policy/);
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      await (await open(url)).ping();
    },
  );

  test('a server that begins to evict is found out while in use, and used again once it is corrected', async () => {
    const store = await open(await freshUrl());
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    await expectUnfit(store.ping(), /maxmemory-policy/);
    await expectUnfit(store.commit([put(freshRecord())]), /maxmemory-policy/);
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await succeeds(() => store.ping());
  });
});

describe('the marker of the data set', () => {
  test('the marker is missing before a migration', async () => {
    await expectUnfit(open(`${redis.url}?prefix=nobody:`), /carnet migrate up/);
  });

  test('the marker is set once, however many processes set it', async () => {
    const url = `${redis.url}?prefix=${freshRecord().id}:`;
    const steps = await Promise.all(Array.from({ length: 10 }, () => migrateUp(url)));
    expect(steps.flat()).toHaveLength(1);
    const migrator = await closing(openMigrator({ url }));
    const [status] = await migrator.status();
    expect(status?.appliedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(await migrator.up()).toEqual([]);
  });

  test('goes down with everything the data set held, and nothing else', async () => {
    const [url, other] = [await freshUrl(), await freshUrl()];
    const [store, spared, record] = [await open(url), await open(other), freshRecord()];
    for (const each of [store, spared]) await each.commit([put(record)]);
    const migrator = await closing(openMigrator({ url }));
    expect(await migrator.down()).toBe('0001-data-set');
    expect(await migrator.down()).toBeUndefined();
    expect(await migrator.status()).toEqual([{ name: '0001-data-set', appliedAt: null }]);
    expect(await redis.command('KEYS', `${new URL(url).searchParams.get('prefix')}*`)).toEqual([]);
    expect(await readOne(spared, record)).toBeDefined();
  });

  test('every commit checks the marker: a claim that was flushed away is not taken again', async () => {
    const own = await startOwn();
    await migrateUp(own.url);
    const store = await open(own.url);
    const used = freshRecord();
    await store.commit([claim(used)]);
    await own.command('FLUSHALL');
    await expectUnfit(store.commit([claim(used)]), /emptied or replaced/);
    await expectUnfit(store.commit([claim(used)]), /empty or was lost/);
    await migrateUp(own.url);
    // Made anew, it is another data set: this process has used things up that it does not know of.
    await expect.poll(() => failureOf(store.ping()).then(String)).toMatch(/lost or replaced/);
    await expectUnfit(store.commit([claim(used)]), /lost or replaced/);
    expect(await (await open(own.url)).commit([claim(used)])).toBeUndefined();
  });
});

describe('durability', () => {
  test('a server declares durability if it writes everything to disk before it answers', async () => {
    const { capabilities } = await open(await freshUrl());
    expect(capabilities).toEqual({ atomicCommit: 'all', shared: true, durable: true, neverRevives: true });
  });

  test.each([
    ['appendfsync', 'everysec', 'always'],
    ['no-appendfsync-on-rewrite', 'yes', 'no'],
    ['appendonly', 'no', 'yes'],
  ])(
    'a server does not declare durability with %s %s, and a loss of durability is reported',
    async (name, weak, strong) => {
      const url = await freshUrl();
      const store = await open(url);
      await redis.command('CONFIG', 'SET', name, weak);
      expect((await open(url)).capabilities).toMatchObject({ durable: false, neverRevives: false });
      await expectUnfit(store.ping(), /no longer writes everything to disk/);
      await redis.command('CONFIG', 'SET', name, strong);
    },
  );

  test('a server does not declare durability where the user may not ask', async () => {
    const url = await freshUrl();
    await redis.command('ACL', 'SETUSER', 'limited', 'on', '>secret', '~*', '+@all', '-config');
    expect((await open(url.replace('//', '//limited:secret@'))).capabilities.durable).toBe(false);
  });
});

describe('a server that may lose data', () => {
  test('the server works without a marker, and recovers by itself when it was emptied or comes back empty', async () => {
    const own = await startOwn({ appendonly: 'no' });
    const store = await open(own.url);
    expect(store.capabilities).toMatchObject({ durable: false, neverRevives: false });
    const record = freshRecord({ kind: 'flow' });
    expect(await store.commit([claim(record)])).toBeUndefined();
    await own.command('FLUSHALL');
    expect(await store.commit([claim(record)])).toBeUndefined();
    await own.kill();
    await own.startEmpty();
    await succeeds(() => store.ping());
    expect(await store.commit([claim(record)])).toBeUndefined();
    expect(await store.commit([claim(record)])).toMatchObject({ reason: 'exists' });
  });

  test('may be migrated up and down all the same', async () => {
    const own = await startOwn({ appendfsync: 'everysec' });
    expect(await migrateUp(own.url)).toHaveLength(1);
    const store = await open(own.url);
    await store.commit([put(freshRecord())]);
    const migrator = await closing(openMigrator({ url: own.url }));
    expect(await migrator.down()).toBe('0001-data-set');
    expect(await own.command('DBSIZE')).toBe(0);
    expect(await store.commit([put(freshRecord())])).toBeUndefined();
  });

  test('has to be said to be new once it is durable: what it lost before nobody knows', async () => {
    const own = await startOwn({ appendfsync: 'everysec' });
    const store = await open(own.url);
    await store.commit([claim(freshRecord())]);
    await own.command('CONFIG', 'SET', 'appendfsync', 'always');
    await expectUnfit(open(own.url), /carnet migrate up/);
    // This one was never promised to anybody.
    await store.ping();
    await migrateUp(own.url);
    expect((await open(own.url)).capabilities.durable).toBe(true);
  });
});

describe('a full memory', () => {
  test('refuses what would add, whole, and takes what removes', async () => {
    const own = await startOwn();
    await migrateUp(own.url);
    const store = await open(own.url);
    const [standing, grantId] = [freshRecord({ kind: 'grant', grantId: 'grant' }), 'grant'];
    const added = freshRecord({ grantId, payload: '"confidential"' });
    await store.commit([put(standing)]);
    await own.command('CONFIG', 'SET', 'maxmemory', '1');
    const failure = await failureOf(store.commit([remove(standing), put(added)]));
    expect(failure.message).toMatch(/OOM/);
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain('confidential');
    expect(await readOne(store, standing)).toMatchObject({ payload: standing.payload });
    expect(await readOne(store, added)).toBeUndefined();
    expect(await store.commit([{ type: 'revoke', grantId }])).toBeUndefined();
    expect(await readOne(store, standing)).toBeUndefined();
  });
});

describe('what the URL says', () => {
  test('a wrong password is refused, and no error shows it', async () => {
    const wrong = guarded.url.replace(password, 'wrong-secret');
    const failure = await failureOf(open(wrong));
    expect(failure).toBeInstanceOf(StoreUnfitError);
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/wrong-secret|127\.0\.0\.1/);
    await expectUnfit(open(guarded.url.replace(`:${password}@`, '')), /user or password/);
    await expectUnfit(open(guarded.url), /carnet migrate up/);
  });

  test('a database that does not exist is refused', async () => {
    await expectUnfit(open(`${redis.url}/999`), /does not have the database/);
  });

  test('keeps databases apart', async () => {
    await migrateUp(`${redis.url}/3`);
    const store = await open(`${redis.url}/3`);
    const record = freshRecord();
    await store.commit([put(record)]);
    expect(await readOne(await open(await freshUrl()), record)).toBeUndefined();
    expect(await readOne(await open(`${redis.url}/3`), record)).toBeDefined();
  });

  test('a Cluster is refused at a single server', async () => {
    await expectUnfit(open(redis.url.replace('redis:', 'redis-cluster:')), /not a node of a Cluster/);
  });

  test('a node of a Cluster is refused as a single server', async () => {
    const node = await startOwn({ 'cluster-enabled': 'yes' });
    await expectUnfit(open(node.url), /redis-cluster:\/\//);
    await expect(open(node.url.replace('redis:', 'redis-cluster:'))).rejects.toThrow(/no hash slot/);
  });

  test('works for a user who has the permissions of the README and no others', async () => {
    const commands = 'info get set scan unlink evalsha script|load hgetall hmget hkeys hset hdel del pexpire persist';
    const indexes = 'zadd zrem zrange zrangebyscore zrevrange zscore';
    const rules = `${commands} ${indexes} ping quit config|get`.split(' ').map((name) => `+${name}`);
    const { url, prefix } = { url: redis.url, prefix: `acl-${freshRecord().id}:` };
    await redis.command('ACL', 'SETUSER', 'least', 'on', '>secret', `~${prefix}*`, '-@all', ...rules);
    const least = `${url.replace('//', '//least:secret@')}?prefix=${prefix}`;
    await migrateUp(least);
    const store = await open(least);
    const [record, grantId] = [freshRecord({ kind: 'session', subject: 'a', grantId: 'g' }), 'g'];
    const steps = [
      put(record),
      put({ ...record, subject: 'b' }),
      { type: 'merge', key: keyOf(record), members: ['m'], expiresAt: new Date(Date.now() + 60_000) } as const,
      consume(record),
    ];
    for (const step of steps) expect(await store.commit([step])).toBeUndefined();
    expect((await store.list({ kind: 'session', subject: 'b', limit: 5 })).records).toHaveLength(1);
    expect(await store.commit([{ type: 'revoke', grantId }])).toBeUndefined();
    expect((await store.list({ kind: 'session', subject: 'b', limit: 5 })).records).toHaveLength(0);
    const migrator = await closing(openMigrator({ url: least }));
    expect(await migrator.down()).toBeDefined();
  });
});
