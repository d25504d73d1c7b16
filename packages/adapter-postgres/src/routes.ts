import pg from 'pg';
import type { Address, SharedPool } from './address.ts';
import { isUnisolated, isUnprepared, refusesOptions } from './faults.ts';
import { ignore, type RunOn, runInPipeline, runInSession, runInTransaction } from './run-on.ts';
import { toStartupOptions } from './session-settings.ts';

/** A way to the server. */
export interface Route {
  readonly pool: pg.Pool;
  readonly runOn: RunOn;
  /**
   * The way that does not run into the error. Law: the error proves that the call was not run, so that any call may be
   * repeated.
   */
  detour(error: unknown): Route | undefined;
}

const createPool = ({ connectionString, poolSize, timeoutMs }: Address, config: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: timeoutMs,
    fallback_application_name: 'carnet',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...config,
  });
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
};

/**
 * The ways to the server of a URL. The direct one is the first; an error says that there is a pooler in between, which
 * gives each transaction another session. Then the settings go with each transaction. Statements keep their names as
 * long as the pooler knows them (PgBouncer from 1.21 on).
 */
const routesTo = (address: Address) => {
  const direct = createPool(address, { options: toStartupOptions(address.settings) });
  // It connects when it is first used.
  const pooled = createPool(address, { pipeline: true });
  const unnamed: Route = {
    pool: pooled,
    runOn: runInPipeline(address.settings, { isNamed: false }),
    detour: () => undefined,
  };
  const named: Route = {
    pool: pooled,
    runOn: runInPipeline(address.settings, { isNamed: true }),
    detour: (error) => (isUnprepared(error) ? unnamed : undefined),
  };
  const first: Route = {
    pool: direct,
    runOn: runInSession,
    detour: (error) => (refusesOptions(error) || isUnisolated(error) ? named : named.detour(error)),
  };
  return { first, close: async () => void (await Promise.all([direct.end(), pooled.end()])) };
};

/** The pool of an app has one way, and stays open. */
const routesOf = ({ pool, settings }: SharedPool) => ({
  first: { pool, runOn: runInTransaction(settings), detour: () => undefined } satisfies Route,
  close: async () => {},
});

export const openRoutes = (address: Address | SharedPool) =>
  'pool' in address ? routesOf(address) : routesTo(address);
