import { randomBytes } from 'node:crypto';
import { createDatabase, databaseUrl, dropDatabase } from './database.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

const open = async (url: string): Promise<TestPostgres> => {
  const names: string[] = [];
  const createNew = async () => {
    const name = `carnet_test_${randomBytes(6).toString('hex')}`;
    await createDatabase(url, name);
    names.push(name);
    return databaseUrl(url, name);
  };
  return {
    url: await createNew(),
    createDatabase: createNew,
    async close() {
      for (const name of names) await dropDatabase(url, name);
    },
  };
};

/** The server of this process, once a test has used one. */
let shared: Promise<string> | undefined;

/** No test kills it, so it need not write to the disk at once. Its watchdog ends it with this process. */
const startShared = async (): Promise<string> =>
  (await startPostgres({ settings: { fsync: 'off', max_connections: '300' } })).url;

/** Whether databases that `openTestPostgres` leaves on its server end with this process. */
export const isPostgresOwn = (): boolean => !/^postgres(ql)?:/.test(process.env.DATABASE_URL ?? '');

/**
 * Databases of a caller's own on the server at `DATABASE_URL` if that is a Postgres, else on one that all files of a
 * worker share. Tests that hurt the server use `startPostgres`: somebody else's is not for killing.
 */
export const openTestPostgres = async (): Promise<TestPostgres> => {
  const { DATABASE_URL: url } = process.env;
  if (url === undefined || isPostgresOwn()) {
    shared ??= startShared();
    return open(await shared);
  }
  // Said here: the errors of URL parsers show the password.
  if (!URL.canParse(url)) throw new Error('DATABASE_URL is not a valid URL.');
  return open(url);
};
