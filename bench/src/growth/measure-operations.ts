import type { startPostgres } from '@carnet/test-servers';
import type pg from 'pg';
import { measureRound } from '../measure.ts';
import { onDatabase, readCounters } from '../postgres-counters.ts';
import { clientCredentials } from '../scenarios/client-credentials.ts';
import { introspection } from '../scenarios/introspection.ts';
import { login, loginRemember, loginReturning } from '../scenarios/logins.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { refresh } from '../scenarios/tokens.ts';
import { serveCarnet } from '../targets/carnet-process.ts';
import type { Target } from '../targets/target.ts';
import { openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import type { NewRows, OperationCost, OperationName } from './costs.ts';

export type Server = Awaited<ReturnType<typeof startPostgres>>;

const abandoned: Scenario = {
  name: 'abandoned',
  title: 'Login, abandoned at the consent page',
  amount: 1_500,
  connections: 64,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, publicClient), 64);
    return { kind: 'journeys', run: async () => void (await logins.abandon()) };
  },
};

const operations: Readonly<Record<OperationName, Scenario>> = {
  login,
  'login-remember': loginRemember,
  'login-returning': loginReturning,
  abandoned,
  refresh,
  introspection,
  'client-credentials': clientCredentials,
};

/** The line pointer of a row in its page. */
const pointerBytes = 4;
/** The table's fill factor. */
const fillFactor = 0.9;

interface KindOfRows {
  readonly kind: string;
  readonly count: number;
  readonly lifetimeSeconds: number | null;
  readonly bytes: number;
}

const readRows = async (client: pg.Client): Promise<readonly KindOfRows[]> => {
  const { rows } = await client.query<KindOfRows>(
    `select kind, count(*)::int as count, avg(pg_column_size(r.*))::float8 as bytes,
       extract(epoch from max(expires_at) - now())::float8 as "lifetimeSeconds"
     from carnet_record as r group by kind`,
  );
  return rows;
};

const difference = (before: readonly KindOfRows[], after: readonly KindOfRows[], amount: number): readonly NewRows[] =>
  after.flatMap(({ kind, count, lifetimeSeconds, bytes }) => {
    const earlier = before.find((each) => each.kind === kind)?.count ?? 0;
    if (count === earlier || lifetimeSeconds === null) return [];
    return {
      kind,
      count: (count - earlier) / amount,
      // Seconds have passed since the last row was written.
      lifetimeSeconds: Math.ceil(lifetimeSeconds / 60) * 60,
      heapBytes: (bytes + pointerBytes) / fillFactor,
    };
  });

/** Measures a scenario on a target whose database is at the URL. */
const measureOn = async (
  { target, server, url }: { target: Target; server: Server; url: string },
  scenario: Scenario,
  { amount, warmUp }: { amount: number; warmUp: number },
): Promise<OperationCost> => {
  const database = new URL(url).pathname.slice(1);
  const work = await scenario.prepare(target);
  const load = { connections: scenario.connections };
  await measureRound(target, work, { ...load, amount: warmUp });
  return onDatabase(server.url, (observer) =>
    onDatabase(url, async (client) => {
      const [rowsBefore, before] = [await readRows(client), await readCounters(observer, database)];
      const round = await measureRound(target, work, { ...load, amount });
      const [after, rowsAfter] = [await readCounters(observer, database), await readRows(client)];
      return {
        statements: (after.statements - before.statements) / amount,
        walBytes: (after.walBytes - before.walBytes) / amount,
        carnetMicroseconds: round.serverCpu,
        postgresMicroseconds: round.storeCpu,
        rows: difference(rowsBefore, rowsAfter, amount),
      };
    }),
  );
};

/** Starts Carnet on a database. */
export const serveOn = async (server: Server, url: string): Promise<Target & { stop(): Promise<void> }> => {
  const carnet = await serveCarnet({
    env: { DATABASE_URL: url, ID_TOKEN_ALG: 'ES256', CLIENT_SECRETS_BCRYPT_COST: '8' },
    workers: 2,
  });
  const { publicUrl, adminUrl, processId, stop } = carnet;
  return {
    name: 'carnet on postgres',
    publicUrl,
    adminUrl,
    processIds: [processId],
    storeProcessIds: [server.pid],
    settings: {},
    stop,
  };
};

/** Measures an operation in a database of its own. */
export const measureOperation = async (server: Server, name: OperationName, amount: number): Promise<OperationCost> => {
  const url = await server.createDatabase();
  const target = await serveOn(server, url);
  try {
    return await measureOn({ target, server, url }, operations[name], { amount, warmUp: amount });
  } finally {
    await target.stop();
  }
};
