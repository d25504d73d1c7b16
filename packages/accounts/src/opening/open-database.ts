import type { PasswordHashing } from '@carnet/directory';
import type * as sql from '@carnet/directory-sql';
import { type AttemptStore, createMemoryAttemptStore, type FactorStore } from '@carnet/second-factors';
import type { AccountsDependencies } from '../dependencies.ts';
import type { AccountsOptions } from '../options.ts';
import { loadPackage } from './load-package.ts';
import { newPasswordCheckOf } from './new-password-check.ts';
import type { OpenedMail } from './open-mail.ts';

/** The accounts database and the parts that store in it. */
export interface OpenedDatabase {
  readonly package: typeof sql;
  readonly database: sql.AccountsDatabase;
  readonly users: sql.Users;
  /** The rules of new passwords. */
  readonly passwordRules: Pick<sql.UsersOptions, 'minimumPasswordLength' | 'brand' | 'check'>;
  readonly factors: FactorStore;
  readonly attempts: AttemptStore;
  readonly links: sql.Links;
  /** Undefined without a mail server. */
  readonly mail: OpenedMail | undefined;
  close(): Promise<void>;
}

interface Opening {
  readonly options: AccountsOptions;
  readonly dependencies: AccountsDependencies;
  readonly hashing: PasswordHashing;
}

/** Opens the accounts database; undefined if none is configured. */
export const openDatabase = async (opening: Opening): Promise<OpenedDatabase | undefined> => {
  const { options, dependencies, hashing } = opening;
  if (options.database === undefined) return undefined;
  const { now, vault } = dependencies;
  const loaded = await loadPackage('@carnet/directory-sql');
  const database = await loaded.openAccountsDatabase({ url: options.database, migrate: options.migrate, now });
  try {
    const passwordRules = {
      minimumPasswordLength: options.passwords.minimumLength,
      brand: options.passkeys.rpName,
      check: newPasswordCheckOf(loaded, options, dependencies),
    };
    const factors = loaded.createFactorStore({ database });
    const { url } = options.mail;
    // Imported on demand: without a mail server, the SMTP client is not loaded.
    const mail = url === undefined ? undefined : (await import('./open-mail.ts')).openMail(url, options, dependencies);
    return {
      package: loaded,
      database,
      users: loaded.createUsers({ database, hashing, ...passwordRules, now }),
      passwordRules,
      factors,
      attempts: loaded.createAttemptStore({ database, now }),
      links: loaded.createLinks({ vault, contents: loaded.createLinkStore({ database }), store: factors, now }),
      mail,
      close: async () => {
        await mail?.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** The store of failed attempts: the accounts database, or the memory of this process without one. */
export const attemptStoreOf = (database: OpenedDatabase | undefined, now: () => number): AttemptStore =>
  database?.attempts ?? createMemoryAttemptStore(now);
