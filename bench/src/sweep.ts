// `npm run bench:sweep`: logins at a fixed rate on Postgres, before, during and after a sweep of 1,000,000 expired rows.
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { runAtRate } from './load/fixed-rate.ts';
import { say } from './studies/study.ts';
import { serveCarnet, startCarnet } from './targets/carnet-process.ts';
import { openLogins } from './users/logins.ts';
import { publicClient, registerClient } from './users/register-client.ts';

const expiredRows = Number(process.env.ROWS ?? 1_000_000);
const perSecond = Number(process.env.RATE ?? 40);
const quietMs = 20_000;
const startingMs = 3_000;

/** As logins of long ago have left them: four rows each, in no order of their keys. */
const fill = (client: pg.Client) =>
  client.query(
    `insert into carnet_record (place, kind, id, grant_id, subject, client_id, payload, expires_at)
     select grant_id, kind, md5(grant_id || kind), grant_id, 'subject ' || login % 10000, 'client', repeat('x', 200),
       now() - interval '1 day' * random()
     from (select login, left(md5(login::text), 22) as grant_id from generate_series(1, $1::int / 4) as login) as logins,
       unnest(array['authorization_code', 'grant', 'access_token', 'refresh_token']) as kind`,
    [expiredRows],
  );

interface Waits {
  /** How many times a session was seen waiting for a lock of another. */
  waiting: number;
  looks: number;
}

const watchLocks = (client: pg.Client, waits: Waits) => {
  const timer = setInterval(async () => {
    const { rows } = await client.query(
      `select count(*)::int as waiting from pg_stat_activity
       where wait_event_type = 'Lock' and application_name = 'carnet'`,
    );
    waits.looks += 1;
    waits.waiting += rows[0].waiting;
  }, 50);
  return () => clearInterval(timer);
};

const phase = async (name: string, login: () => Promise<void>, isOver: (elapsedMs: number) => boolean) => {
  const { count, latencies } = await runAtRate(login, { perSecond, isOver });
  const figures = [50, 95, 99].map((share) => latencies.percentile(share).toFixed(1).padStart(8)).join('');
  say(`${name.padEnd(10)}${String(count).padStart(8)}${figures}`);
  return latencies.percentile(99);
};

const server = await startPostgres();
const url = await server.createDatabase();
const provider = await serveCarnet({ env: { DATABASE_URL: url, ID_TOKEN_ALG: 'ES256' } });
const observer = new pg.Client(url);
await observer.connect();
try {
  say(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, ${perSecond} logins/s, default durability`);
  const logins = openLogins(provider, await registerClient(provider, publicClient), 64);
  const login = async () => void (await logins.run());
  await runAtRate(login, { perSecond, isOver: (elapsed) => elapsed > 5_000 });
  say(`filling in ${expiredRows} expired rows`);
  await fill(observer);
  await observer.query('vacuum analyze carnet_record');
  await observer.query('checkpoint');

  say('phase       logins     p50     p95     p99   ms');
  const before = await phase('before', login, (elapsed) => elapsed > quietMs);
  const waits: Waits = { waiting: 0, looks: 0 };
  const stopWatching = watchLocks(observer, waits);
  const startedAt = performance.now();
  const sweep = startCarnet({ args: ['sweep'], env: { DATABASE_URL: url } });
  let sweptMs: number | undefined;
  const ended = once(sweep, 'exit').then(() => {
    sweptMs = performance.now() - startedAt;
  });
  // A command that starts takes a core for a moment; that is not what is measured.
  await pause(startingMs);
  const during = await phase('sweeping', login, () => sweptMs !== undefined);
  await ended;
  stopWatching();
  const after = await phase('after', login, (elapsed) => elapsed > quietMs);

  const { rows } = await observer.query('select count(*)::int as left from carnet_record where expires_at < now()');
  say(`swept in ${((sweptMs ?? 0) / 1_000).toFixed(1)} s, ${rows[0].left} left`);
  say(`p99 while sweeping: ${(during / Math.max(before, after)).toFixed(2)} times that of the slower quiet phase`);
  say(`waiting for a lock: seen ${waits.waiting} times in ${waits.looks} looks`);
} finally {
  await observer.end();
  await provider.stop();
  await server.close();
}
