import { once } from 'node:events';
import { createServer } from 'node:net';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-redis';
import { startProxy, startRedis } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { claim, closing, freshRecord, keyOf, migrateUp, put, readOne, succeeds } from './data-set.ts';

const redis = beforeTests(() => startRedis());
beforeAll(async () => {
  await migrateUp(redis.url);
});

const open = (url = `${redis.url}?timeout=1000`) => closing(openAdapter({ url }));

const openThroughProxy = async () => {
  const proxy = await closing(startProxy({ port: redis.port }));
  return { proxy, store: await open(`redis://127.0.0.1:${proxy.port}?timeout=400`) };
};

/** How often the server was asked to run a script since it was started. */
const scriptsRun = async (): Promise<number> => {
  const info = `${await redis.command('INFO', 'commandstats')}`;
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
};

describe('a server that is killed', () => {
  test('fails every call, and loses nothing of what it has answered', async () => {
    const store = await open();
    const used = Array.from({ length: 200 }, () => freshRecord());
    const answered: typeof used = [];
    const claims = used.map(async (record) => {
      await store.commit([claim(record)]);
      answered.push(record);
      if (answered.length === 50) await redis.kill();
    });
    await Promise.allSettled(claims);
    await redis.kill();
    expect(answered.length).toBeGreaterThanOrEqual(50);
    for (const call of [() => store.read([used[0] as never]), () => store.commit([claim(freshRecord())])])
      await expect(call()).rejects.toThrow();
    await expect(store.ping()).rejects.toThrow();
    await redis.start();
    await succeeds(() => store.ping());
    for (const record of answered) expect(await store.commit([claim(record)])).toMatchObject({ reason: 'exists' });
  });

  test('a server that starts empty fails closed until an operator acts', async () => {
    const store = await open();
    const used = freshRecord();
    await store.commit([claim(used)]);
    await redis.kill();
    await redis.startEmpty();
    await expect
      .poll(() => store.commit([claim(used)]).then(String, (error: unknown) => error))
      .toBeInstanceOf(StoreUnfitError);
    await expect(store.read([keyOf(used)])).rejects.toThrow(StoreUnfitError);
    await expect(open()).rejects.toThrow(/carnet migrate up/);
    await migrateUp(redis.url);
    await expect(store.commit([claim(used)])).rejects.toThrow(StoreUnfitError);
    await (await open()).ping();
  });
});

describe('a server that is made a replica', () => {
  test('takes nothing and answers nothing, and with another data set not even when it is promoted', async () => {
    const master = await closing(startRedis());
    const store = await open();
    const used = freshRecord();
    await store.commit([claim(used)]);
    await redis.command('REPLICAOF', '127.0.0.1', `${master.port}`);
    await expect(store.commit([claim(freshRecord())])).rejects.toThrow();
    await expect(store.commit([claim(freshRecord())])).rejects.toThrow(StoreUnfitError);
    await expect(store.read([keyOf(used)])).rejects.toThrow(/replica/);
    await expect.poll(async () => `${await redis.command('INFO')}`).toContain('master_link_status:up');
    await redis.command('REPLICAOF', 'NO', 'ONE');
    // What it got from its master is another data set.
    await expect.poll(() => store.ping().then(String, String)).toMatch(/does not hold its marker/);
    await redis.command('FLUSHALL');
    await migrateUp(redis.url);
  });

  test('a read finds out soon that the server is a replica', async () => {
    const master = await closing(startRedis());
    await migrateUp(master.url);
    const store = await open();
    await redis.command('REPLICAOF', '127.0.0.1', `${master.port}`);
    await expect.poll(() => store.read([keyOf(freshRecord())]).then(String, String)).toMatch(/replica/);
    await redis.command('REPLICAOF', 'NO', 'ONE');
    await redis.command('FLUSHALL');
    await migrateUp(redis.url);
  });
});

describe('a server that does not answer', () => {
  test('fails every call in time, and is used again when it does', async () => {
    const store = await open();
    const [before, during] = [freshRecord({ payload: '"before"' }), freshRecord()];
    await store.commit([put(before)]);
    redis.pause();
    const calls = [
      store.read([keyOf(before)]),
      store.commit([claim(during)]),
      store.list({ kind: 'client', limit: 1 }),
      store.ping(),
    ];
    // At once: whichever gives up first, somebody is waiting for it.
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow()));
    await expect(store.read([keyOf(before)])).rejects.toThrow();
    redis.resume();
    await succeeds(() => store.ping());
    // Late answers to what nobody waits for any more are no answers to this.
    expect(await readOne(store, before)).toMatchObject({ id: before.id, payload: '"before"' });
    expect((await store.commit([claim(during)]))?.reason ?? 'won').toMatch(/^(exists|won)$/);
    expect(await store.commit([claim(during)])).toMatchObject({ reason: 'exists' });
  });

  test('a commit that the server may have carried out is not sent again', async () => {
    const { proxy, store } = await openThroughProxy();
    const used = freshRecord();
    await store.commit([put(freshRecord())]);
    const before = await scriptsRun();
    await proxy.set({ delayMs: 2_000 });
    await expect(store.commit([claim(used)])).rejects.toThrow(/in time/);
    expect(await scriptsRun()).toBe(before + 1);
    await proxy.set('pass');
    await succeeds(() => store.ping());
    expect(await scriptsRun()).toBe(before + 1);
    expect(await store.commit([claim(used)])).toMatchObject({ reason: 'exists' });
  });

  test('a silent server and one that refuses both fail, and both are used again', async () => {
    const { proxy, store } = await openThroughProxy();
    for (const mode of ['refuse', 'silent', 'refuse'] as const) {
      await proxy.set(mode);
      await expect(store.commit([claim(freshRecord())])).rejects.toThrow();
      await expect(store.read([keyOf(freshRecord())])).rejects.toThrow();
      // Nobody waits any more for what may yet come over them.
      await expect.poll(() => proxy.connections()).toBe(0);
      await proxy.set('pass');
      await succeeds(() => store.commit([claim(freshRecord())]));
    }
    await expect.poll(() => proxy.connections()).toBe(1);
  });

  test('calls do not try a server that is known to be gone', async () => {
    const { proxy, store } = await openThroughProxy();
    await proxy.close();
    let tries = 0;
    const server = createServer((socket) => {
      tries += 1;
      socket.on('error', () => undefined).destroy();
    });
    await once(server.listen(proxy.port, '127.0.0.1'), 'listening');
    for (let i = 0; i < 500; i++) await expect(store.read([keyOf(freshRecord())])).rejects.toThrow();
    server.close();
    expect(tries).toBeGreaterThan(0);
    expect(tries).toBeLessThan(50);
  });
});

describe('a store that is closed', () => {
  test('answers what was asked before, and nothing after', async () => {
    const store = await openAdapter({ url: redis.url });
    const record = freshRecord();
    const [before] = await Promise.all([store.commit([put(record)]), store.close()]);
    expect(before).toBeUndefined();
    await expect(store.read([keyOf(record)])).rejects.toThrow('closed');
    expect(await readOne(await open(), record)).toBeDefined();
  });

  test('closes while the server does not answer', async () => {
    const store = await openAdapter({ url: `${redis.url}?timeout=300` });
    redis.pause();
    const call = store.commit([claim(freshRecord())]).catch(() => 'rejected');
    await store.close();
    redis.resume();
    expect(await call).toBe('rejected');
  });
});

test('a server that has forgotten the scripts is told them again', async () => {
  const store = await open();
  await store.commit([put(freshRecord())]);
  await redis.command('SCRIPT', 'FLUSH');
  expect(await store.commit([put(freshRecord())])).toBeUndefined();
});

test('a URL with TLS sends nothing in clear', async () => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      received.push(data);
      socket.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  await expect(openAdapter({ url: `rediss://user:geheim@127.0.0.1:${port}` })).rejects.toThrow();
  server.close();
  // The record type of a TLS handshake.
  expect(received[0]?.[0]).toBe(22);
  expect(Buffer.concat(received).includes('geheim')).toBe(false);
});
