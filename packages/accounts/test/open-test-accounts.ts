import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUsers, openAccountsDatabase } from '@carnet/accounts-sql';
import { onTestFinished } from 'vitest';

import type { z } from 'zod';
import { createPasswordHashing, type ListedUser } from '../src/directory/index.ts';

import {
  type AccountsDependencies,
  type AccountsEvent,
  type AccountsOptions,
  accountsOptionsOf,
  accountsSchema,
  type DirectoryOptions,
  type OpenedAccounts,
  openAccounts,
  type ProviderOptions,
  type SignIn,
} from '../src/index.ts';
import type { NewUser, Users } from '../src/store/index.ts';
import { createTestVault } from './test-vault.ts';
import { totpCode } from './totp-code.ts';

export { type Engine, engines, useDatabases } from '../../accounts-sql/test/databases.ts';

export const password = 'correct horse battery';
export const address = '192.0.2.7';

type AccountsInput = NonNullable<z.input<typeof accountsSchema>>;

/** The options that a configuration with this section has. */
const optionsOf = (accounts: AccountsInput): AccountsOptions =>
  accountsOptionsOf(accountsSchema.unwrap().parse(accounts), {
    issuer: 'https://id.example.com',
    dev: true,
    urls: { login: 'https://login.example.com/login' },
  });

/** A directory, with the defaults of the configuration. */
export const directoryOf = (directory: NonNullable<AccountsInput['directories']>[number]): DirectoryOptions => {
  const [options] = optionsOf({ directories: [directory] }).directories;
  if (options === undefined) throw new Error('the configuration has no directory');
  return options;
};

/** A provider, with the defaults of the configuration. */
export const providerOf = (provider: NonNullable<AccountsInput['providers']>[number]): ProviderOptions => {
  const [options] = optionsOf({ providers: [provider] }).providers;
  if (options === undefined) throw new Error('the configuration has no provider');
  return options;
};

/** Organizations, with the defaults of the configuration. */
export const organizationsOf = (
  ...organizations: NonNullable<AccountsInput['organizations']>
): AccountsOptions['organizations'] => optionsOf({ organizations }).organizations;

/** The options of the configuration's defaults, with second factors for users who have them. */
export const testOptions = (members: Partial<AccountsOptions> = {}): AccountsOptions => ({
  ...optionsOf({
    database: 'sqlite:accounts.db',
    directories: [{ kind: 'sql', name: 'people' }],
    passkeys: { rpId: 'example.com', rpName: 'Example' },
    signUp: { enabled: true },
    recovery: { enabled: true },
    deletion: { enabled: true },
    scopes: {},
  }),
  database: undefined,
  ...members,
});

export interface TestAccounts {
  readonly accounts: OpenedAccounts;
  readonly events: AccountsEvent[];
  /** What the accounts have logged. */
  readonly lines: string[];
  readonly clock: { now: number };
}

/** As cheap as can be: what is tested is who may try, and how often. */
const hashCost = { memoryKiB: 8, iterations: 1 };

/** Accounts that are closed at the end of the test, with a clock that the test sets. */
export const openTestAccounts = async (
  options: AccountsOptions,
  dependencies: Partial<AccountsDependencies> = {},
): Promise<TestAccounts> => {
  const clock = { now: Date.now() };
  const events: AccountsEvent[] = [];
  const lines: string[] = [];
  const log = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const accounts = await openAccounts(options, {
    load: (name) => import(name),
    vault: createTestVault(),
    hashCost,
    logger: { info: log, warn: log, error: log },
    now: () => clock.now,
    ...dependencies,
    onEvent: async (event) => {
      events.push(event);
      await dependencies.onEvent?.(event);
    },
  });
  onTestFinished(() => accounts.close());
  return { accounts, events, lines, clock };
};

const withUsers = async <Result>(url: string, use: (users: Users) => Promise<Result>): Promise<Result> => {
  const database = await openAccountsDatabase({ url, migrate: true });
  try {
    return await use(createUsers({ database, hashing: createPasswordHashing(hashCost) }));
  } finally {
    await database.close();
  }
};

/** Creates a user, as `carnet users create`. Returns its subject. */
export const createUser = (url: string, members: Partial<NewUser> = {}): Promise<string> =>
  withUsers(url, async (users) => {
    const creation = await users.create({ email: 'ada@example.com', password, claims: { name: 'Ada' }, ...members });
    if (!creation.created) throw new Error(creation.message);
    return `people.${creation.user.id}`;
  });

/** Sets the state of a user, as `carnet users disable`. */
export const setUserState = async (url: string, subject: string, state: 'active' | 'disabled'): Promise<void> => {
  await withUsers(url, (users) => users.setState(subject.slice('people.'.length), state));
};

/** Accounts on this database, with a new user. */
export const openWithUser = async (
  database: string,
  options: Partial<AccountsOptions> = {},
  { user = {}, ...dependencies }: Partial<AccountsDependencies> & { readonly user?: Partial<NewUser> } = {},
) => {
  const subject = await createUser(database, user);
  return { ...(await openTestAccounts(testOptions({ database, ...options }), dependencies)), database, subject };
};

/** The options of a directory in a file with the user `u1`. The file is removed at the end of the test. */
export const fileDirectory = async (name: string, subjectPrefix: string, user: Partial<ListedUser>) => {
  const path = join(tmpdir(), `carnet-${randomUUID()}.json`);
  onTestFinished(() => rmSync(path));
  const passwordHash = await createPasswordHashing(hashCost).hash(password, 'u1');
  writeFileSync(path, JSON.stringify([{ subject: 'u1', passwordHash, ...user }]));
  return directoryOf({ kind: 'file', name, path, subjectPrefix });
};

/** The progress of a sign-in, which must be in this state. */
export const progressOf = (signIn: SignIn, state: SignIn['state']): string => {
  if (signIn.state !== state || !('progress' in signIn)) throw new Error(`no progress in ${signIn.state}`);
  return signIn.progress;
};

/** Enrols a TOTP factor for a user, and lets a minute pass. Returns its secret. */
export const enrolTotp = async ({ accounts, clock }: TestAccounts, subject: string): Promise<string> => {
  const owner = { subject };
  const { enrolment, secret } = await accounts.factors.begin({ owner, kind: 'totp', issuer: 'Example' });
  const confirmed = await accounts.factors.confirm({ owner, enrolment, code: totpCode(secret, clock.now) });
  if (!confirmed.ok) throw new Error(confirmed.error);
  clock.now += 60_000;
  return secret;
};
