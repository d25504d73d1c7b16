import { randomBytes } from 'node:crypto';
import { createDatabase, databaseUrl, dropDatabase } from './database.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

const openExisting = (url: string): TestPostgres => {
  const names: string[] = [];
  return {
    url,
    async createDatabase() {
      const name = `carnet_test_${randomBytes(6).toString('hex')}`;
      await createDatabase(url, name);
      names.push(name);
      return databaseUrl(url, name);
    },
    async close() {
      for (const name of names) await dropDatabase(url, name);
    },
  };
};

/**
 * The server at `DATABASE_URL` if that is a Postgres, else one of our own. Tests that hurt the server use
 * `startPostgres`: somebody else's is not for killing.
 */
export const openTestPostgres = async (): Promise<TestPostgres> => {
  const url = process.env.DATABASE_URL;
  if (url === undefined || !/^postgres(ql)?:/.test(url)) return startPostgres();
  // Said here: the errors of URL parsers show the password.
  if (!URL.canParse(url)) throw new Error('DATABASE_URL is not a valid URL.');
  return openExisting(url);
};
