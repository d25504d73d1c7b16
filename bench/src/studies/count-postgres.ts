import { startPostgres } from '@carnet/test-servers';
import type pg from 'pg';
import { runClosedLoop } from '../load/closed-loop.ts';
import { cpuMicroseconds } from '../measure-cpu.ts';
import { onDatabase, type PostgresCounters, readCounters } from '../postgres-counters.ts';
import { serveCarnet } from '../targets/carnet-process.ts';
import { type Logins, openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import { rounded } from './study.ts';

export interface Trial {
  readonly title: string;
  /** Options of Node for the server. */
  readonly nodeOptions?: readonly string[];
  /** Done to the database once it is migrated, before anything is measured. */
  readonly prepare?: readonly string[];
  /** The actions of one user. */
  readonly user: (logins: Logins, index: number) => Promise<unknown>;
}

export interface Amounts {
  readonly amount: number;
  readonly warmUp: number;
  readonly workers: number;
}

export const head: readonly string[] = [
  'for each login begun',
  'statements',
  'rows written',
  'log, bytes',
  'disk, bytes',
  'Postgres, us',
  'Carnet, us',
  'logins/s',
];

const connections = 64;

/** Rows written to the table since it was created. Backends report their last writes when they end. */
const table = (url: string): Promise<{ written: number; bytes: number }> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query(
      `select (n_tup_ins + n_tup_upd + n_tup_del)::float8 as written, pg_total_relation_size(relid)::float8 as bytes
       from pg_stat_user_tables where relname = 'carnet_record'`,
    );
    return rows[0];
  });

type Server = Awaited<ReturnType<typeof startPostgres>>;

interface Measured extends PostgresCounters {
  readonly seconds: number;
  readonly postgres: number;
  readonly carnet: number;
}

const load = async (
  { server, url, observer }: { server: Server; url: string; observer: pg.Client },
  { nodeOptions, prepare = [], user }: Trial,
  { amount, warmUp, workers }: Amounts,
): Promise<Measured> => {
  const carnet = await serveCarnet({ env: { DATABASE_URL: url, ID_TOKEN_ALG: 'ES256' }, workers, nodeOptions });
  try {
    await onDatabase(url, async (client) => {
      for (const statement of prepare) await client.query(statement);
    });
    const logins = openLogins(carnet, await registerClient(carnet, publicClient), connections);
    let index = 0;
    const run = async () => void (await user(logins, index++));
    await runClosedLoop(run, { amount: warmUp, connections });
    const database = new URL(url).pathname.slice(1);
    const look = async () => ({
      ...(await readCounters(observer, database)),
      postgres: cpuMicroseconds([server.pid]),
      carnet: cpuMicroseconds([carnet.processId]),
    });
    const before = await look();
    const { seconds } = await runClosedLoop(run, { amount, connections });
    const after = await look();
    logins.close();
    return {
      seconds,
      statements: after.statements - before.statements,
      walBytes: after.walBytes - before.walBytes,
      postgres: after.postgres - before.postgres,
      carnet: after.carnet - before.carnet,
    };
  } finally {
    await carnet.stop();
  }
};

/** A row of the result: what so many logins cost, in a database of their own. */
export const measureTrial = async (server: Server, trial: Trial, amounts: Amounts): Promise<readonly string[]> => {
  const url = await server.createDatabase();
  const measured = await onDatabase(server.url, async (observer) => {
    await observer.query('create extension if not exists pg_stat_statements');
    return load({ server, url, observer }, trial, amounts);
  });
  const { written, bytes } = await table(url);
  const each = (sum: number): string => rounded(sum / amounts.amount);
  const all = amounts.amount + amounts.warmUp;
  return [
    trial.title,
    (measured.statements / amounts.amount).toFixed(2),
    (written / all).toFixed(2),
    each(measured.walBytes),
    rounded(bytes / all),
    each(measured.postgres),
    each(measured.carnet),
    rounded(amounts.amount / measured.seconds),
  ];
};

export const startCountingPostgres = (): Promise<Server> =>
  startPostgres({
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track': 'all',
      shared_buffers: '256MB',
    },
  });
