import type * as accountsPackage from '@carnet/accounts';
import type { User } from '@carnet/accounts/store';
import type * as accountsSql from '@carnet/accounts-sql';
import type { OpenedUsers } from '@carnet/accounts-sql';
import type { Surface, Values } from '../command.ts';
import { issuerOptions, loadPartsFromCommandLine } from '../config/command-line.ts';
import { loadPackage } from '../load-package.ts';
import { outputOptions } from '../output.ts';

/** The options of every command for users. */
export const userOptions = { ...issuerOptions, ...outputOptions };

/** The users of the configured accounts database. */
export interface ConfiguredUsers {
  readonly users: OpenedUsers;
  /** The subject (`sub`) of a user. */
  subjectOf(id: string): string;
}

/** Opens the accounts database for `work`, and closes it. */
export const withUsers = async <T>(
  values: Values,
  surface: Surface,
  work: (configured: ConfiguredUsers) => Promise<T>,
): Promise<T> => {
  const { accounts, dev } = loadPartsFromCommandLine(values, surface, ['accounts', 'dev']);
  const directory = accounts?.directories.find(({ kind }) => kind === 'sql');
  if (accounts?.database === undefined || directory === undefined)
    throw new Error(
      'The configuration has no directory of the kind sql: set accounts.database, and add a directory with `kind: sql` to accounts.directories.',
    );
  const prefix = directory.subjectPrefix ?? `${directory.name}.`;
  // Loaded here, because other commands do not need a database driver.
  const { openUsers } = await loadPackage<typeof accountsSql>('@carnet/accounts-sql');
  const { combineChecks, createBreachedPasswordCheck } = await loadPackage<typeof accountsPackage>('@carnet/accounts');
  const { minimumLength, check: url } = accounts.passwords;
  const report = (error: unknown) =>
    surface.err(`The password was not checked by accounts.passwords.check: ${(error as Error).message}.`);
  const users = await openUsers({
    url: accounts.database,
    migrate: accounts.migrate ?? dev,
    minimumPasswordLength: minimumLength,
    brand: accounts.passkeys.rpName,
    ...(url !== undefined && { check: combineChecks([createBreachedPasswordCheck({ url })], report) }),
  });
  try {
    return await work({ users, subjectOf: (id) => `${prefix}${id}` });
  } finally {
    await users.close();
  }
};

/** The user with this login name, subject or id. @throws Error if there is none */
export const findUser = async ({ users, subjectOf }: ConfiguredUsers, name: string): Promise<User> => {
  const prefix = subjectOf('');
  const user =
    (await users.find(name)) ??
    (await users.show(name)) ??
    (name.startsWith(prefix) ? await users.show(name.slice(prefix.length)) : undefined);
  if (user === undefined) throw new Error(`There is no user "${name}".`);
  return user;
};

/** The password on the standard input, without the line break at its end. */
export const readPassword = async (surface: Surface): Promise<string> => {
  const password = ((await surface.in?.()) ?? '').replace(/\r?\n$/, '');
  if (password === '') throw new Error('Give the password on the standard input, such as `... < password.txt`.');
  return password;
};
