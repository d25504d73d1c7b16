import { startPostgres } from '@carnet/test-servers';
import type pg from 'pg';
import { withClient } from './store.ts';

/** A server that counts its statements. */
export const startCountingPostgres = async () => {
  const server = await startPostgres({ settings: { shared_preload_libraries: 'pg_stat_statements' } });
  await withClient(server.url, (client) => client.query('create extension pg_stat_statements'));
  return server;
};

const countIn = async (client: pg.Client, url: string): Promise<number> => {
  const { rows } = await client.query(
    `select coalesce(sum(calls), 0)::int as n from pg_stat_statements join pg_database as d on d.oid = dbid
     where datname = $1`,
    [new URL(url).pathname.slice(1)],
  );
  return rows[0].n;
};

/**
 * How many statements the server runs in the database of the second URL meanwhile, BEGIN, SET and the like included. It
 * is asked in another database: looking does not count.
 */
export const countStatements = (serverUrl: string, url: string, work: () => Promise<unknown>): Promise<number> =>
  withClient(serverUrl, async (client) => {
    const before = await countIn(client, url);
    await work();
    return (await countIn(client, url)) - before;
  });
