import { readFile } from 'node:fs/promises';
import { AccountsError } from '../accounts-error.ts';
import type { AccountsDependencies, AccountsEvent } from '../dependencies.ts';
import {
  type CacheStore,
  createDirectories,
  createFileDirectory,
  createHttpDirectory,
  createMemoryCacheStore,
  type Directories,
  type Directory,
  type DirectoryEntry,
  type PasswordHashing,
} from '../directory/index.ts';
import type { AccountsLdap, AccountsOptions, DirectoryOptions, LdapDirectoryOptions } from '../options.ts';
import { observeDirectory } from './observe-directory.ts';
import type { OpenedDatabase } from './open-database.ts';

interface Opening extends Pick<AccountsDependencies, 'load' | 'logger' | 'now'> {
  readonly options: AccountsOptions;
  readonly hashing: PasswordHashing;
  readonly database: OpenedDatabase | undefined;
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

const openLdap = async (options: LdapDirectoryOptions, { load }: Opening): Promise<Directory> => {
  const { openLdapDirectory } = (await load('@carnet/accounts-ldap')) as AccountsLdap;
  const { caFile, kind: _kind, ...others } = options;
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8');
  return openLdapDirectory({ ...others, ca });
};

const openSql = ({ name }: DirectoryOptions, { database }: Opening): Directory => {
  if (database === undefined)
    throw new AccountsError('not_supported', `The directory ${name} needs accounts.database.`);
  return database.openDirectory(name);
};

const openOne = async (directory: DirectoryOptions, opening: Opening): Promise<Directory> => {
  switch (directory.kind) {
    case 'file':
      return createFileDirectory({ name: directory.name, path: directory.path, hashing: opening.hashing });
    case 'http':
      return createHttpDirectory({ ...directory, url: new URL(directory.url) });
    case 'ldap':
      return openLdap(directory, opening);
    case 'sql':
      return openSql(directory, opening);
  }
};

/** A realm is written as suffix (`user@realm`) or as prefix (`realm\user`). */
const realmOf = ({ realms, keepsRealm }: DirectoryOptions): Pick<DirectoryEntry, 'realm'> => {
  const [name] = realms;
  return name === undefined ? {} : { realm: { name, suffixes: realms, prefixes: realms, keep: keepsRealm === true } };
};

const cacheStoreOf = ({ options, database }: Opening): CacheStore => {
  const { place, maxEntries } = options.cache;
  if (place === 'process') return createMemoryCacheStore({ maxEntries });
  if (database === undefined)
    throw new AccountsError('not_supported', 'accounts.cache.place: database needs accounts.database.');
  return database.cache;
};

/** Only remote directories are cached: without a cache, a change of a local profile is visible at once. */
const isRemote = ({ kind }: DirectoryOptions): boolean => kind === 'ldap' || kind === 'http';

const cacheReports = ({ emit, logger }: Opening) => ({
  onLookup: ({ directory, hit }: { readonly directory: string; readonly hit: boolean }) =>
    void emit({ type: 'cache', directory, hit }),
  onStoreError: (error: unknown) => logger.warn({ err: error }, 'The user cache does not answer.'),
});

/** Opens every directory. If one cannot be opened, the others are closed. */
export const openDirectories = async (opening: Opening): Promise<Directories> => {
  const opened: Directory[] = [];
  const isCached = opening.options.directories.some(({ cacheSeconds }) => cacheSeconds > 0);
  try {
    const store = isCached ? cacheStoreOf(opening) : undefined;
    const entries: DirectoryEntry[] = [];
    for (const options of opening.options.directories) {
      const directory = await openOne(options, opening);
      opened.push(directory);
      const ttlSeconds = isRemote(options) ? options.cacheSeconds : 0;
      entries.push({
        directory: observeDirectory(directory, opening.emit),
        ...realmOf(options),
        isDefault: options.isDefault === true,
        optional: options.optional,
        subjectPrefix: options.subjectPrefix,
        ...(store !== undefined && ttlSeconds > 0 && { cache: { store, ttlSeconds, ...cacheReports(opening) } }),
      });
    }
    return createDirectories(entries);
  } catch (error) {
    await Promise.allSettled(opened.map((directory) => directory.close()));
    throw error;
  }
};
