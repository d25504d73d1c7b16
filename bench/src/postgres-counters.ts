import pg from 'pg';

export interface PostgresCounters {
  readonly statements: number;
  readonly walBytes: number;
}

/**
 * Reads the counters of a server with `pg_stat_statements`. The observer is connected to another database, so that it does not
 * count itself.
 */
export const readCounters = async (observer: pg.Client, database: string): Promise<PostgresCounters> => {
  const { rows } = await observer.query(
    `select (select coalesce(sum(calls), 0)::float8 from pg_stat_statements join pg_database as d on d.oid = dbid
       where datname = $1) as statements, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal`,
    [database],
  );
  return { statements: rows[0].statements, walBytes: rows[0].wal };
};

export const onDatabase = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
