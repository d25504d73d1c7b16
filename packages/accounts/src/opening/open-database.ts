import type { AccountsDependencies } from '../dependencies.ts';
import type { PasswordHashing } from '../directory/index.ts';
import { createLinks, type Links } from '../links/links.ts';
import type { AccountsOptions } from '../options.ts';
import { newPasswordCheckOf } from '../passwords/new-password-check.ts';
import { type AttemptStore, createMemoryAttemptStore } from '../second-factors/index.ts';
import type { AccountsSql, AccountsStore } from '../store/index.ts';
import type { OpenedMail } from './open-mail.ts';

/** The accounts database, and the parts that need it. */
export interface OpenedDatabase extends Omit<AccountsStore, 'links'> {
  readonly links: Links;
  /** Undefined without a mail server. */
  readonly mail: OpenedMail | undefined;
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
  const { openAccountsStore } = (await dependencies.load('@carnet/accounts-sql')) as AccountsSql;
  const store = await openAccountsStore({
    url: options.database,
    migrate: options.migrate,
    hashing,
    minimumPasswordLength: options.passwords.minimumLength,
    brand: options.passkeys.rpName,
    check: newPasswordCheckOf(options, dependencies),
    now,
  });
  try {
    const { url } = options.mail;
    // Imported on demand: without a mail server, the SMTP client is not loaded.
    const mail = url === undefined ? undefined : (await import('./open-mail.ts')).openMail(url, options, dependencies);
    return {
      ...store,
      links: createLinks({
        ...{ vault, contents: store.links, store: store.factors, now },
        invitationSeconds: options.invitations.validSeconds,
      }),
      mail,
      close: async () => {
        await mail?.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** The store of failed attempts: the accounts database, or the memory of this process without one. */
export const attemptStoreOf = (database: OpenedDatabase | undefined, now: () => number): AttemptStore =>
  database?.attempts ?? createMemoryAttemptStore(now);
