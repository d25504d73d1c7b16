import { createPasswordHashing } from '@carnet/accounts/directory';
import type { Factor } from '@carnet/accounts/second-factors';
import type { PasswordRulesOptions, Users } from '@carnet/accounts/store';
import { openAccountsDatabase } from '../database/accounts-database.ts';
import { createFactorStore } from '../stores/factor-store.ts';
import { type ImportCounts, type ImportOptions, importUsers } from './import-users.ts';
import { createUsers } from './users.ts';

/** The management of users with a database of its own, for commands. */
export interface OpenedUsers extends Users {
  importLines(options: Omit<ImportOptions, 'database' | 'now'>): Promise<ImportCounts>;
  /** The second factors of a subject. Their payloads stay in the database. */
  factorsOf(subject: string): Promise<readonly Omit<Factor, 'payload'>[]>;
  close(): Promise<void>;
}

export interface OpenUsersOptions extends PasswordRulesOptions {
  /** The URL of the accounts database. */
  readonly url: string;
  /** Whether missing steps of the schema are applied. */
  readonly migrate?: boolean;
}

/**
 * Opens the users of an accounts database.
 *
 * @throws DirectoryError `unavailable` if the database does not answer or lacks steps of the schema
 */
export const openUsers = async ({ url, migrate, ...rules }: OpenUsersOptions): Promise<OpenedUsers> => {
  const database = await openAccountsDatabase({ url, migrate });
  try {
    await database.ping();
  } catch (error) {
    await database.close();
    throw error;
  }
  const factors = createFactorStore({ database });
  return {
    ...createUsers({ database, hashing: createPasswordHashing(), ...rules }),
    importLines: (options) => importUsers({ ...options, database }),
    async factorsOf(subject) {
      return (await factors.list(subject)).map(({ payload: _payload, ...shown }) => shown);
    },
    close: () => database.close(),
  };
};
