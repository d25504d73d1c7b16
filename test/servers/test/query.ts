import pg from 'pg';

/** The first row of what a statement answers, over a connection of its own. */
export const query = async (url: string, statement: string): Promise<Record<string, unknown> | undefined> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0];
  } finally {
    await client.end();
  }
};
