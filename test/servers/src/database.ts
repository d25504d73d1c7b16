import pg from 'pg';

const execute = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** `url` is of any database of the server; the name is one of ours and needs no quoting. */
export const createDatabase = (url: string, name: string): Promise<void> => execute(url, `CREATE DATABASE ${name}`);

/** Whoever is connected to it is thrown out. */
export const dropDatabase = (url: string, name: string): Promise<void> =>
  execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

/** The URL of another database of the same server. */
export const databaseUrl = (url: string, name: string): string => {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
};
