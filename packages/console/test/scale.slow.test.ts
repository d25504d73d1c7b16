import { setTimeout as pause } from 'node:timers/promises';
import { importUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import { startPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { startConsole } from './start-console.ts';

/** `CONSOLE_SCALE=1000000` measures what issue 24 promises. The plans of the queries are the same with fewer rows. */
const users = Number(process.env.CONSOLE_SCALE ?? 50_000);
const sessions = users / 10;
const clients = users / 100;
const rounds = 40;

/** Imports one user, and copies it. An import of a million takes minutes. */
const createUsers = async (url: string): Promise<void> => {
  const database = await openAccountsDatabase({ url, migrate: true });
  const claims = { name: 'Ada Lovelace 0', given_name: 'Ada', family_name: 'Lovelace' };
  const line = JSON.stringify({ id: 'u0', email: 'ada.lovelace.0@example.com', claims });
  const onProblem = (problem: { readonly message: string }) => {
    throw new Error(problem.message);
  };
  await importUsers({ database, lines: [line], onProblem });
  await database.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into carnet_user (id, state, claims, created_at, updated_at, name_key, family_name_key)
     select 'u' || n, state, replace(claims, ' 0', ' ' || n), created_at, updated_at, 'ada lovelace ' || n, family_name_key
     from carnet_user, generate_series(1, ${users - 1}) as n`,
  );
  await client.query(
    `insert into carnet_identifier (normalised, kind, user_id)
     select 'ada.lovelace.' || n || '@example.com', kind, 'u' || n
     from carnet_identifier, generate_series(1, ${users - 1}) as n`,
  );
  await client.end();
};

/** Clients, sessions and consents as copies of real records, of which the lists read the columns and a part of the payload. */
const insertRecords = async (client: pg.Client): Promise<void> => {
  const copy = (kind: string, id: string, subject: string, count: number, payload = 'payload') =>
    client.query(
      `insert into carnet_record (place, kind, id, grant_id, subject, client_id, payload, members, expires_at)
       select place, kind, ${id}, null, ${subject}, client_id, ${payload}, members, expires_at
       from carnet_record, generate_series(1, ${count}) as n where kind = '${kind}' and id not like 'copy%'`,
    );
  await copy('client', "'copy-' || n", 'subject', clients, "replace(payload, 'first', 'copy-' || n)");
  await client.query(
    `insert into carnet_record (place, kind, id, subject, payload, expires_at)
     select coalesce((select place from carnet_record limit 1), ''), 'session', 'copy-' || n, 'people.u' || n,
       json_build_object('sid', 'copy-' || n, 'authTime', 1764133200)::text, now() + interval '30 days'
     from generate_series(1, ${sessions}) as n`,
  );
  await client.query('vacuum analyze');
};

/** How often the large tables were read as a whole. Connections report it a second after their last query. */
const wholeReads = async (clients: readonly pg.Client[]): Promise<number> => {
  await pause(1_200);
  const counts = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query(
        'select coalesce(sum(seq_scan), 0)::int as count from pg_stat_user_tables where n_live_tup > $1',
        [users / 200],
      );
      return Number(rows[0].count);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

const someUser = (round: number): string => `people.u${1 + ((round * 7_919) % sessions)}`;

/** How long 95 of 100 requests may take, in milliseconds: for a million users. The rest is for busy machines. */
const mostMs = Number(process.env.CONSOLE_SCALE_P95 ?? 1_000);

/** `later`: the path of the second page of a search that many match. */
const pagesOf = (later: string): Readonly<Record<string, (round: number) => string>> => ({
  'list of users': () => '/users',
  'users, by whole login name': (round) => `/users?q=ada.lovelace.${round * 7}@example.com`,
  'users, by one letter that all have': () => '/users?q=a',
  'users, by the beginning of many names': (round) =>
    `/users?q=${encodeURIComponent(`Ada Lovelace ${1 + (round % 9)}`)}`,
  'users, a later page of many': () => later,
  'disabled users, by one letter that all have': () => '/users?q=a&state=disabled',
  'active users, by one letter that all have': () => '/users?q=a&state=active',
  'users, by beginning of a name': (round) => `/users?q=${encodeURIComponent(`Ada Lovelace ${1_000 + 13 * round}`)}`,
  'users, by subject': (round) => `/users?q=${someUser(round)}`,
  'disabled users': () => '/users?state=disabled',
  'one user': (round) => `/users/${someUser(round)}`,
  'sessions of a user': (round) => `/sessions?subject=${someUser(round)}`,
  'consents of a user': (round) => `/sessions/consents?subject=${someUser(round)}`,
  'users of a client': () => '/sessions?client_id=first',
  'list of clients': () => '/clients',
  'one client': () => '/clients/first',
  events: () => '/events',
  'events of a user': (round) => `/events?subject=${someUser(round)}`,
  'event of a request': (round) => `/events?request_id=none-${round}`,
  webhooks: () => '/webhooks',
});

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

interface Statement {
  readonly database: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Notes the statements that this process sends from now on, until the end of the test. */
const recordStatements = (): ReadonlyMap<string, Statement> => {
  const seen = new Map<string, Statement>();
  const original = pg.Client.prototype.query;
  const record = function (this: pg.Client, ...args: readonly unknown[]): unknown {
    const [query, given] = args;
    const config = typeof query === 'string' ? { text: query, values: given } : (query as pg.QueryConfig);
    const values = Array.isArray(config.values) ? config.values : [];
    if (/^\s*(?:select|with)\b/i.test(config.text ?? ''))
      seen.set(config.text, { database: this.database, text: config.text, values });
    return Reflect.apply(original, this, args);
  };
  Object.assign(pg.Client.prototype, { query: record });
  onTestFinished(() => void Object.assign(pg.Client.prototype, { query: original }));
  return seen;
};

/** The plans of the statements that read a big table as a whole. */
const wholePlans = async (statements: readonly Statement[], client: pg.Client): Promise<readonly string[]> => {
  const sizes = "select relname from pg_class where relname like 'carnet%' and reltuples > 10000";
  const { rows: big } = await client.query(sizes);
  const ofBig = new RegExp(`Seq Scan on (?:${['no table', ...big.map((row) => String(row.relname))].join('|')})\\b`);
  const plans: string[] = [];
  for (const { database, text, values } of statements) {
    if (database !== client.database) continue;
    const { rows } = await client.query(`explain ${text}`, [...values]);
    plans.push(`${text}\n${rows.map((row) => String(row['QUERY PLAN'])).join('\n')}`);
  }
  expect(plans).not.toEqual([]);
  return plans.filter((plan) => ofBig.test(plan));
};

it('no list or search of the console reads a whole table of Postgres', async () => {
  const server = await startPostgres({ settings: { shared_buffers: '256MB' } });
  const [store, accounts] = [await server.createDatabase(), await server.createDatabase()];
  await createUsers(accounts);
  const { carnet, get } = await startConsole({
    storage: { default: store },
    accounts: { database: accounts, directories: [{ kind: 'sql', name: 'people' }] },
    events: {},
  });
  await carnet.clients.create({ client_id: 'first', redirect_uris: ['https://first.test/cb'] });
  const databases = await Promise.all(
    [store, accounts].map(async (connectionString) => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      return client;
    }),
  );
  const [records, directory] = databases as [pg.Client, pg.Client];
  await insertRecords(records);
  await directory.query('vacuum analyze');
  const following = /rel="next" href="\/console([^"]+)"/.exec(await (await get('/users?q=ada')).text())?.[1] ?? '';
  const seen = recordStatements();
  const table: string[] = [];
  const slow: string[] = [];
  const reading: string[] = [];
  for (const [name, path] of Object.entries(pagesOf(following.replaceAll('&amp;', '&')))) {
    expect([name, (await get(path(0))).status]).toEqual([name, 200]);
    const before = await wholeReads(databases);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const at = performance.now();
      await (await get(path(round))).text();
      times.push(performance.now() - at);
    }
    table.push(`${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`);
    if (percentile(times, 0.95) > mostMs) slow.push(name);
    // The provider itself reads a few times for its own work, such as the sweep.
    if ((await wholeReads(databases)) - before > rounds / 4) reading.push(name);
  }
  process.stdout.write(`${users} users, ${sessions} sessions, ${clients} clients\n${table.join('\n')}\n`);
  const statements = [...seen.values()];
  const plans = [...(await wholePlans(statements, records)), ...(await wholePlans(statements, directory))];
  expect({ reading, slow, plans }).toEqual({ reading: [], slow: [], plans: [] });
  await carnet.close();
  for (const client of databases) await client.end();
  await server.close();
}, 3_600_000);
