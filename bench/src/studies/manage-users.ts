import { setTimeout as pause } from 'node:timers/promises';
import { importUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import { startPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { runAtRate } from '../load/fixed-rate.ts';
import { createLatencies, type Latencies } from '../load/latencies.ts';
import { numberOf } from '../option-values.ts';
import { serveCarnet } from '../targets/carnet-process.ts';
import type { Endpoints } from '../targets/target.ts';
import { type HttpPool, openHttpPool } from '../users/http-pool.ts';
import { openLogins } from '../users/logins.ts';
import { type Client, publicClient, registerClient } from '../users/register-client.ts';
import { note, rounded, type Study } from './study.ts';

const firstNames = ['Ada', 'Alan', 'Barbara', 'Grace', 'Hedy', 'Ivan', 'Katherine', 'Linus', 'Margaret', 'Radia'];
const familyNames = [
  'Lovelace',
  'Turing',
  'Liskov',
  'Hopper',
  'Lamarr',
  'Sutherland',
  'Johnson',
  'Hamilton',
  'Perlman',
];

/** Users as lines of `carnet users import`. */
function* linesOf(amount: number): Generator<string> {
  for (let index = 0; index < amount; index += 1) {
    const [given, family] = [firstNames[index % firstNames.length], familyNames[index % familyNames.length]];
    const claims = { name: `${given} ${family} ${index}`, given_name: given, family_name: family };
    yield JSON.stringify({ id: `u${index}`, email: `${given}.${family}.${index}@example.com`.toLowerCase(), claims });
  }
}

const importInto = async (url: string, amount: number): Promise<void> => {
  const database = await openAccountsDatabase({ url, migrate: true });
  try {
    const refused = (problem: { readonly message: string }) => {
      throw new Error(problem.message);
    };
    await importUsers({ database, lines: linesOf(amount), onProblem: refused });
  } finally {
    await database.close();
  }
  // As autovacuum does within a minute: without statistics, Postgres reads whole tables.
  const client = new pg.Client(url);
  await client.connect();
  await client.query('analyze');
  await client.end();
};

/** The queries of an administrator, each with its path. */
const queries = {
  'list a page of 50': () => '/admin/users?page_size=50',
  'list disabled users': () => '/admin/users?state=disabled&page_size=50',
  'search by login name, 1 match': (index: number) => `/admin/users?search=ada.lovelace.${(index * 90) % 9_000}@`,
  'search by name, 1 letter, page of 50': (index: number) =>
    `/admin/users?page_size=50&search=${'abghiklmr'[index % 9]}`,
  'search by family name, page of 50': (index: number) =>
    `/admin/users?page_size=50&search=${familyNames[index % familyNames.length]}`,
  'no users: the version of the server': () => '/admin/version',
  'find by whole login name': (index: number) => `/admin/users?login=ada.lovelace.${(index * 90) % 9_000}@example.com`,
} as const;

interface Queried {
  readonly name: string;
  readonly latencies: Latencies;
}

/** Each kind of query in turn, at a fixed rate, beside logins. */
const measureQueries = async (
  target: Endpoints,
  client: Client,
  { seconds, logins: perSecond }: { readonly seconds: number; readonly logins: number },
): Promise<readonly Queried[]> => {
  const pool = openHttpPool(target.adminUrl, 4);
  const logins = openLogins(target, client, 32);
  const measured = Object.keys(queries).map((name) => ({ name, latencies: createLatencies() }));
  const paths = Object.values(queries);
  let sent = 0;
  const query = async (): Promise<void> => {
    const index = sent++;
    const at = performance.now();
    await pool.send({ method: 'GET', path: paths[index % paths.length]?.(index) ?? '' }, 200);
    measured[index % paths.length]?.latencies.record(performance.now() - at);
  };
  const isOver = (elapsedMs: number): boolean => elapsedMs > seconds * 1_000;
  try {
    const load = perSecond === 0 ? undefined : runAtRate(async () => void (await logins.run()), { perSecond, isOver });
    await Promise.all([runAtRate(query, { perSecond: 20, isOver }), load]);
    return measured;
  } finally {
    pool.close();
    logins.close();
  }
};

const tokensPerUser = 5;

/** Milliseconds from the call that disables a user to the start of the last request that an access token was accepted for. */
const offboard = async (target: Endpoints, client: Client, id: string, pools: readonly [HttpPool, HttpPool]) => {
  const [admin, open] = pools;
  const subject = `people.${id}`;
  const logins = openLogins(target, client, tokensPerUser, { login: { subject } });
  const tokens = await Promise.all(Array.from({ length: tokensPerUser }, () => logins.run()));
  logins.close();
  const values = tokens.map(({ access_token: value }) => value);
  let [disabledAt, answeredAt, lastAccepted, sent] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  const use = async (): Promise<void> => {
    const token = values[sent % values.length] ?? '';
    const isUserinfo = sent++ % 2 === 0;
    const at = performance.now();
    const isAccepted = isUserinfo
      ? (
          await open.send(
            { method: 'GET', path: '/userinfo', headers: { Authorization: `Bearer ${token}` } },
            ...[200, 401],
          )
        ).status === 200
      : JSON.parse((await admin.send(introspectionOf(token), 200)).body).active === true;
    if (isAccepted) lastAccepted = Math.max(lastAccepted, at);
  };
  const isOver = (): boolean => answeredAt > 0 && performance.now() - answeredAt > 2_000;
  const using = runAtRate(use, { perSecond: 50, isOver });
  await pause(1_000);
  disabledAt = performance.now();
  await admin.send({ method: 'POST', path: `/admin/users/${subject}/disable` }, 200);
  answeredAt = performance.now();
  await using;
  return { callMs: answeredAt - disabledAt, acceptedMs: Math.max(0, lastAccepted - disabledAt) };
};

const introspectionOf = (token: string) => ({
  method: 'POST' as const,
  path: '/admin/oauth2/introspect',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: `token=${token}`,
});

const measureOffboarding = async (target: Endpoints, client: Client, amount: number) => {
  const pools = [openHttpPool(target.adminUrl, 8), openHttpPool(target.publicUrl, 8)] as const;
  try {
    const results: Awaited<ReturnType<typeof offboard>>[] = [];
    for (let index = 0; index < amount; index += 1)
      results.push(await offboard(target, client, `u${index * 7}`, pools));
    return results;
  } finally {
    for (const pool of pools) pool.close();
  }
};

const settings = {
  ID_TOKEN_ALG: 'ES256',
  ACCOUNTS_DIRECTORIES: JSON.stringify([{ name: 'people', kind: 'sql' }]),
};

/** The management of users: lists and searches beside logins, and the end of access of a user whose tokens are in use. */
export const manageUsers: Study = {
  name: 'manage-users',
  title: 'Users on Postgres: lists and searches beside logins, and how long tokens of a disabled user are accepted',
  options: { users: '10000', seconds: '30', logins: '20', workers: '2', offboarded: '10' },
  async run({ users = '', seconds = '', logins = '', workers = '', offboarded = '' }) {
    const amount = numberOf('users', users, 1_000_000);
    const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } });
    try {
      const [store, accounts] = [await postgres.createDatabase(), await postgres.createDatabase()];
      note(`importing ${amount} users`);
      await importInto(accounts, amount);
      const env = { DATABASE_URL: store, ACCOUNTS_DATABASE: accounts, ...settings };
      const carnet = await serveCarnet({ env, workers: numberOf('workers', workers, 16) });
      try {
        const client = await registerClient(carnet, publicClient);
        const load = { seconds: numberOf('seconds', seconds, 600), logins: numberOf('logins', logins, 500) };
        note('warming up, then lists and searches');
        await measureQueries(carnet, client, { ...load, seconds: Math.min(10, load.seconds) });
        const queried = await measureQueries(carnet, client, load);
        note(`offboarding ${offboarded} users`);
        const ended = await measureOffboarding(carnet, client, numberOf('offboarded', offboarded, 1_000));
        const worst = (values: readonly number[]): string => rounded(Math.max(...values));
        const rows = queried.map(({ name, latencies }) => [
          name,
          ...[50, 95, 99].map((share) => rounded(latencies.percentile(share))),
        ]);
        return {
          tables: [
            [[`${amount} users, beside ${logins} logins a second`, 'p50 ms', 'p95 ms', 'p99 ms'], ...rows],
            [
              [`of ${ended.length} users, 50 requests a second each`, 'longest ms'],
              ['the call that disables', worst(ended.map(({ callMs }) => callMs))],
              ['a token was accepted after the call began', worst(ended.map(({ acceptedMs }) => acceptedMs))],
            ],
          ],
        };
      } finally {
        await carnet.stop();
      }
    } finally {
      await postgres.close();
    }
  },
};
