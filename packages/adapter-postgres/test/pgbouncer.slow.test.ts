import { openAdapter } from '@carnet/adapter-postgres';
import { startPgBouncer, startPostgres } from '@carnet/test-servers';
import { afterAll, describe, expect, test } from 'vitest';
import { testLaws } from '../../adapter-contract/test/laws.ts';
import {
  claim,
  consume,
  createStore,
  freshRecord,
  loginWrites,
  put,
  revoke,
  sessionsOf,
  until,
  withClient,
  withMigrator,
} from './store.ts';

/** Five connections to Postgres for each database, whatever the number of clients. */
const poolSize = 5;
const server = await startPostgres();
const connectTo = { postgresPort: server.port, user: 'carnet' };
const [refusing, dropping] = await Promise.all([
  startPgBouncer(connectTo),
  startPgBouncer({ ...connectTo, settings: { ignore_startup_parameters: 'options' } }),
]);
afterAll(async () => {
  await Promise.all([refusing.close(), dropping.close()]);
  await server.close();
});

const through = (port: number, url: string) => url.replace(`:${server.port}/`, `:${port}/`);

describe.each([
  ['refuses the settings of sessions', refusing.port],
  ['drops the settings of sessions', dropping.port],
])('behind PgBouncer in transaction mode that %s', async (_, port) => {
  const url = through(port, await server.createDatabase());
  await withMigrator({ url }, (migrator) => migrator.up());
  const open = () => openAdapter({ url });
  const store = await open();
  afterAll(() => store.close());

  testLaws({ store, open });
});

test('several stores of 10 connections share five sessions, and each code is claimed once', async () => {
  const direct = await createStore(server);
  const stores = await Promise.all([1, 2, 3, 4].map(() => openAdapter({ url: through(refusing.port, direct) })));
  const logins = Array.from({ length: 60 }, () => loginWrites());
  const outcomes = await Promise.all(
    logins.map(({ writes }) => Promise.all(stores.map((store) => store.commit(writes)))),
  );
  for (const each of outcomes) expect(each.filter((conflict) => conflict === undefined)).toHaveLength(1);
  expect((await sessionsOf(direct)).all).toBeLessThanOrEqual(poolSize);

  const [store, other] = stores as [(typeof stores)[0], (typeof stores)[0]];
  for (const { grantId, refresh } of logins.slice(0, 10)) {
    expect(await store.commit([consume(refresh)])).toBeUndefined();
    expect(await other.commit([consume(refresh)])).toMatchObject({ reason: 'consumed' });
    expect(await other.commit([revoke(grantId)])).toBeUndefined();
    expect(await store.read([refresh])).toEqual([undefined]);
  }
  await Promise.all(stores.map((each) => each.close()));
});

test('settings of the URL apply to each transaction', async () => {
  const direct = await createStore(server);
  await withClient(direct, async (client) => {
    await client.query('create schema auth; alter table carnet_record set schema auth');
    await client.query('alter table carnet_migration set schema auth');
  });
  const options = encodeURIComponent('-c search_path=auth');
  const url = `${through(refusing.port, direct)}?options=${options}`;
  const store = await openAdapter({ url });
  const record = freshRecord();
  await store.ping();
  expect(await store.commit([claim(record)])).toBeUndefined();
  expect(await store.commit([claim(record)])).toMatchObject({ reason: 'exists' });
  await store.close();
  await withMigrator({ url }, (migrator) =>
    expect(migrator.up()).rejects.toThrow('on a connection to Postgres itself'),
  );
});

test('a pooler or a server that ends, and is started again: what was given up on is not carried out later', async () => {
  const direct = await createStore(server);
  const store = await openAdapter({ url: `${through(refusing.port, direct)}?timeout=1000` });
  const record = freshRecord();
  expect(await store.commit([put(record)])).toBeUndefined();
  const isThere = async () => (await store.read([record]).catch(() => []))[0]?.id === record.id;
  for (const ended of [refusing, server]) {
    await ended.kill();
    const late = freshRecord();
    await expect(store.commit([claim(late)])).rejects.toThrow();
    await ended.start();
    await until(isThere);
    expect(await store.read([late])).toEqual([undefined]);
    expect(await store.commit([put(record)])).toBeUndefined();
  }
  await store.close();
});
