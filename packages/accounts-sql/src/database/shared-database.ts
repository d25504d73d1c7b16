import { type AccountsDatabase, type DatabaseOptions, openAccountsDatabase } from './accounts-database.ts';
import { parseAddress } from './address.ts';

interface Shared {
  readonly opened: Promise<AccountsDatabase>;
  users: number;
}

/** The open databases of this process, by their options. */
const databases = new Map<string, Shared>();

/**
 * Opens the accounts database for one of several issuers in this process. Those with the same Postgres URL share its pool of
 * connections and its sweep, which end with the last of them. A SQLite file, and a database with a clock of its own, is not shared.
 *
 * @throws DirectoryError as `openAccountsDatabase`
 */
export const openSharedDatabase = async (options: DatabaseOptions): Promise<AccountsDatabase> => {
  const { url, migrate = false, now = Date.now } = options;
  if (parseAddress(url).engine === 'sqlite' || now !== Date.now) return openAccountsDatabase(options);
  const name = JSON.stringify([url, migrate]);
  const shared = databases.get(name) ?? { opened: openAccountsDatabase(options), users: 0 };
  databases.set(name, shared);
  shared.users += 1;
  const leave = (): boolean => {
    shared.users -= 1;
    return shared.users === 0 && databases.delete(name);
  };
  try {
    const database = await shared.opened;
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      if (leave()) await database.close();
    };
    return { ...database, close };
  } catch (error) {
    leave();
    throw error;
  }
};
