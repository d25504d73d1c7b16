import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMigrator, openPostgresAdapter } from '@carnet/adapter-postgres';
import { startPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm, userinfo } from '../call.ts';
import { basicOf, registerClient, type TestClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { authorizationUrl, codeFor, credentialsFor, introspect, logIn, login, redeem, refresh } from '../login.ts';

/** What the whole provider asks of Postgres, counted by Postgres: every statement, BEGIN and SET included. */
describe('statements on Postgres', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let observer: pg.Client;
  let adapter: StorageAdapter;
  let instance: Instance;
  let client: TestClient;
  let database: string;

  beforeAll(async () => {
    server = await startPostgres({
      settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' },
    });
    // From another database: looking does not count.
    observer = new pg.Client(server.url);
    await observer.connect();
    await observer.query('create extension pg_stat_statements');
    const url = await server.createDatabase();
    database = new URL(url).pathname.slice(1);
    const migrator = await openMigrator({ url });
    await migrator.up();
    await migrator.close();
    adapter = openPostgresAdapter({ url });
    const { promise: firstPoll, resolve: polled } = Promise.withResolvers<void>();
    const list: StorageAdapter['list'] = (query) => adapter.list(query).finally(polled);
    const config = { storage: { sweepSeconds: 0 }, logout: { backchannelPollSeconds: 3_600 } };
    instance = await start({ adapter: { ...adapter, list }, config });
    // Each process looks once, soon after its start, for logouts that others have left undelivered.
    await firstPoll;
    client = await registerClient(instance, 'confidential');
    // Warm: the connection is there, the client in memory.
    await login(instance, client);
  });
  afterAll(async () => {
    await instance?.stop();
    await adapter?.close();
    await observer?.end();
    await server?.close();
  });

  const counted = async (): Promise<number> => {
    const { rows } = await observer.query(
      'select coalesce(sum(calls), 0)::int as calls from pg_stat_statements join pg_database as d on d.oid = dbid where datname = $1',
      [database],
    );
    return rows[0].calls;
  };

  const rows = async (): Promise<number> => {
    const own = new pg.Client(server.url.replace(/\/[^/]*$/, `/${database}`));
    await own.connect();
    const result = await own.query('select count(*)::int as count from carnet_record');
    await own.end();
    return result.rows[0].count;
  };

  const statementsOf = async <T>(work: () => Promise<T>): Promise<{ statements: number; answer: T }> => {
    const before = await counted();
    const answer = await work();
    return { statements: (await counted()) - before, answer };
  };

  test('a first login costs 1, from its first request to its tokens, and leaves 4 rows', async () => {
    const before = await rows();
    const { statements, answer } = await statementsOf(() => login(instance, client));
    expect(answer).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(statements).toBe(1);
    expect((await rows()) - before).toBe(4);
  });

  test('an abandoned login costs none', async () => {
    const { statements } = await statementsOf(() => logIn(instance, client, { subject: 'bob' }));
    expect(statements).toBe(0);
  });

  test('a login that is to be remembered costs 1 more, its consent another one, and a remembered browser 2', async () => {
    const browser = createBrowser();
    const remember = { remember: true };
    const first = await statementsOf(() => login(instance, client, { browser, login: remember }));
    // One when the user has signed in, one redemption.
    expect(first.statements).toBe(2);
    const second = await statementsOf(() => login(instance, client, { browser }));
    expect(second.answer).toHaveProperty('access_token');
    // A read when it begins, one after the login app has answered, one redemption.
    expect(second.statements).toBe(3);
    const third = await statementsOf(() => login(instance, client, { login: remember, consent: remember }));
    expect(third.statements).toBe(3);
  });

  test('a refresh costs 2', async () => {
    const { refresh_token } = await login(instance, client);
    const { statements, answer } = await statementsOf(() => refresh(instance, client, refresh_token));
    expect([answer.status, statements]).toEqual([200, 2]);
  });

  test('client_credentials cost 1', async () => {
    const ask = () => credentialsFor(instance, client, { scope: 'profile' });
    const { statements, answer } = await statementsOf(ask);
    expect([answer.status, statements]).toEqual([200, 1]);
  });

  test('an introspection costs 1', async () => {
    const tokens = await login(instance, client);
    for (const value of [tokens.access_token, tokens.refresh_token]) {
      const { statements, answer } = await statementsOf(() => introspect(instance, value));
      expect([answer.active, statements]).toEqual([true, 1]);
    }
  });

  test('a revocation costs 2', async () => {
    const { refresh_token, access_token } = await login(instance, client);
    const form = { token: String(refresh_token) };
    const { statements, answer } = await statementsOf(() =>
      postForm(`${instance.issuer}/oauth2/revoke`, form, basicOf(client)),
    );
    expect([answer.status, statements]).toEqual([200, 2]);
    expect(await introspect(instance, access_token)).toEqual({ active: false });
  });

  // Besides the refused commit itself: what fails is not counted.
  test('a code that comes again costs 2: why it was refused, and the revocation', async () => {
    const code = await codeFor(instance, client);
    await redeem(instance, client, code);
    const { statements, answer } = await statementsOf(() => redeem(instance, client, code));
    expect([answer.status, answer.body.error, statements]).toEqual([400, 'invalid_grant', 2]);
  });

  test('userinfo costs 1', async () => {
    const { access_token } = await login(instance, client);
    const { statements, answer } = await statementsOf(() => userinfo(instance, access_token));
    expect([answer.status, statements]).toEqual([200, 1]);
  });

  test('a browser that comes back with its remembered login is read for once before the login page', async () => {
    const browser = createBrowser();
    await login(instance, client, { browser, login: { remember: true } });
    const { statements, answer } = await statementsOf(() => browser.get(authorizationUrl(instance, client)));
    expect(locationOf(answer).searchParams.has('login_challenge')).toBe(true);
    expect(statements).toBe(1);
  });
});
