import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres, startProxy } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { openPostgresAdapter } from '../src/index.ts';
import {
  claim,
  consume,
  createStore,
  freshId,
  freshRecord,
  put,
  revoke,
  sessionsOf,
  until,
  untilWaiting,
  withClient,
} from './store.ts';

const poolSize = 4;

const server = beforeTests(() => startPostgres());
const proxy = beforeTests(() => startProxy({ port: server.port }));
let url: string;
const throughProxy = () => url.replace(`:${server.port}/`, `:${proxy.port}/`);
const store = beforeTests(async () => {
  url = await createStore(server);
  return openPostgresAdapter({ url: `${throughProxy()}?pool=${poolSize}&timeout=500` });
});

/** One call of each kind, more of them than the pool has connections. */
const callAll = () => {
  const calls = [
    () => store.read([freshRecord()]),
    () => store.commit([claim(freshRecord())]),
    () => store.commit([put(freshRecord({ kind: 'client' }))]),
    () => store.list({ kind: 'client', limit: 1 }),
    () => store.sweep(1),
    () => store.ping(),
  ];
  return Promise.allSettled(Array.from({ length: 3 * poolSize }, (_, index) => calls[index % calls.length]?.()));
};

const outcomes = async (): Promise<readonly string[]> => [...new Set((await callAll()).map(({ status }) => status))];

/** Everything is answered, by a pool as it should be. */
const expectRecovery = async () => {
  await until(async () => (await outcomes()).join() === 'fulfilled');
  await until(async () => (await sessionsOf(url)).busy === 0);
  expect((await sessionsOf(url)).all).toBeLessThanOrEqual(poolSize);
};

test('a server that is stopped and started again', async () => {
  await expectRecovery();
  await server.stop();
  expect(await outcomes()).toEqual(['rejected']);
  await server.start();
  await expectRecovery();
});

test('a server that is killed and started again', async () => {
  await expectRecovery();
  await server.kill();
  expect(await outcomes()).toEqual(['rejected']);
  await server.start();
  await expectRecovery();
});

test('a server that accepts and says nothing', async () => {
  await expectRecovery();
  server.pause();
  expect(await outcomes()).toEqual(['rejected']);
  server.resume();
  await expectRecovery();
});

// Sooner than the pool parts with a connection that is merely idle.
test('a network that swallows everything, and hangs up on nobody', { timeout: 8_000 }, async () => {
  await expectRecovery();
  await proxy.set('silent');
  expect(await outcomes()).toEqual(['rejected']);
  // None of the connections is kept that has not answered.
  await until(async () => proxy.connections() === 0);
  await proxy.set('pass');
  await expectRecovery();
});

test('commits that were given up on before there was a connection for them are not carried out later', async () => {
  const single = openPostgresAdapter({ url: `${url}?pool=1&timeout=500` });
  const records = Array.from({ length: 4 }, () => freshRecord());
  await single.commit([put(freshRecord())]);
  server.pause();
  // The first takes the connection; each revocation, alone, is one more that waits 25 ms before the claims can meet.
  const calls = [
    single.commit([put(freshRecord())]),
    ...Array.from({ length: 10 }, () => single.commit([revoke(freshId())])),
    ...records.map((record) => single.commit([claim(record)])),
  ];
  expect(new Set((await Promise.allSettled(calls)).map(({ status }) => status))).toEqual(new Set(['rejected']));
  server.resume();
  await pause(300);
  expect(await store.read(records)).toEqual(records.map(() => undefined));
  await single.close();
});

test('a network that refuses', async () => {
  await proxy.set('refuse');
  expect(await outcomes()).toEqual(['rejected']);
  await proxy.set('pass');
  await expectRecovery();
});

test('a network that is slow, but in time', async () => {
  await proxy.set({ delayMs: 50 });
  expect(await outcomes()).toEqual(['fulfilled']);
  await proxy.set('pass');
  await expectRecovery();
});

test('many revocations over a slow network, eight at a time', async () => {
  const distant = openPostgresAdapter({ url: throughProxy() });
  const revokeAll = () => Promise.all(Array.from({ length: 80 }, () => distant.commit([revoke(freshId())])));
  await revokeAll();
  await proxy.set({ delayMs: 20 });
  const startedAt = performance.now();
  await revokeAll();
  // Two at a time they would take 800 ms at least.
  expect(performance.now() - startedAt).toBeLessThan(700);
  await proxy.set('pass');
  await distant.close();
});

test('a connection that is made too late goes to the next call', async () => {
  const single = openPostgresAdapter({ url: `${throughProxy()}?pool=1&timeout=1000` });
  await proxy.set('silent');
  const late = single.read([freshRecord()]).catch((error: unknown) => error);
  await pause(400);
  // The connection is reset; the next one is made after the call has given up, and in its own time.
  await proxy.set({ delayMs: 800 });
  expect(await late).toBeInstanceOf(Error);
  await until(async () => (await sessionsOf(url)).all > 0);
  await proxy.set('pass');
  expect(await single.read([freshRecord()])).toEqual([undefined]);
  await single.close();
});

test('a pool in which every connection waits for a lock, and a queue before it', async () => {
  const records = Array.from({ length: 3 * poolSize }, () => freshRecord());
  await store.commit(records.map(put));
  await withClient(url, async (client) => {
    await client.query('begin');
    await client.query('select from carnet_record where id = any($1) for update', [records.map(({ id }) => id)]);
    const commits: Promise<unknown>[] = [];
    for (const record of records) {
      commits.push(store.commit([consume(record)]).catch(() => 'rejected'));
      // One after the other, so that none of them shares a statement.
      if (commits.length <= poolSize) await untilWaiting(url, commits.length);
    }
    expect(new Set(await Promise.all(commits))).toEqual(new Set(['rejected']));
    await client.query('rollback');
  });
  await expectRecovery();
});

test('a server that takes no more connections', async () => {
  await withClient(url, async (client) => {
    await client.query(`alter database ${new URL(url).pathname.slice(1)} connection limit 0`);
    await client.query('create role carnet_limited login');
    await client.query('grant all on all tables in schema public to carnet_limited');
  });
  const limited = new URL(url);
  limited.username = 'carnet_limited';
  const other = openPostgresAdapter({ url: limited.href });
  await expect(other.read([freshRecord()])).rejects.toMatchObject({ code: '53300' });
  await withClient(url, (client) => client.query(`alter database ${limited.pathname.slice(1)} connection limit -1`));
  expect(await other.read([freshRecord()])).toEqual([undefined]);
  await other.close();
});
