import { setTimeout as pause } from 'node:timers/promises';
import { importUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import { startPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startConsole } from './start-console.ts';

/** `CONSOLE_SCALE=1000000` measures what issue 24 promises. The plans of the queries are the same with fewer rows. */
const users = Number(process.env.CONSOLE_SCALE ?? 50_000);
const sessions = users / 10;
const clients = users / 100;
const rounds = 40;

function* lines(): Generator<string> {
  for (let at = 0; at < users; at++) {
    const claims = { name: `Ada Lovelace ${at}`, given_name: 'Ada', family_name: 'Lovelace' };
    yield JSON.stringify({ id: `u${at}`, email: `ada.lovelace.${at}@example.com`, claims });
  }
}

const importAll = async (url: string): Promise<void> => {
  const database = await openAccountsDatabase({ url, migrate: true });
  const onProblem = (problem: { readonly message: string }) => {
    throw new Error(problem.message);
  };
  await importUsers({ database, lines: lines(), onProblem });
  await database.close();
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

const pages: Readonly<Record<string, (round: number) => string>> = {
  'list of users': () => '/users',
  'users, by whole login name': (round) => `/users?q=ada.lovelace.${round * 7}@example.com`,
  'users, by beginning of a name': (round) => `/users?q=${encodeURIComponent(`Ada Lovelace ${round}`)}`,
  'users, by one letter': () => '/users?q=a',
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
};

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

it('no list or search of the console reads a whole table of Postgres', async () => {
  const server = await startPostgres({ settings: { shared_buffers: '256MB' } });
  const [store, accounts] = [await server.createDatabase(), await server.createDatabase()];
  await importAll(accounts);
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
  const [records, people] = databases as [pg.Client, pg.Client];
  await insertRecords(records);
  await people.query('vacuum analyze');
  const table: string[] = [];
  const reading: string[] = [];
  for (const [name, path] of Object.entries(pages)) {
    expect([name, (await get(path(0))).status]).toEqual([name, 200]);
    const before = await wholeReads(databases);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const at = performance.now();
      await (await get(path(round))).text();
      times.push(performance.now() - at);
    }
    table.push(`${name}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`);
    // The provider itself reads a few times for its own work, such as the sweep.
    if ((await wholeReads(databases)) - before > rounds / 4) reading.push(name);
  }
  process.stdout.write(`${users} users, ${sessions} sessions, ${clients} clients\n${table.join('\n')}\n`);
  expect(reading).toEqual([]);
  await carnet.close();
  for (const client of databases) await client.end();
  await server.close();
}, 3_600_000);
