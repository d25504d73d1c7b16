export {
  type AccountsDatabase,
  type DatabaseOptions,
  openAccountsDatabase,
  openAccountsMigrator,
} from './database/accounts-database.ts';
export { openSqlDirectory, type SqlDirectoryOptions } from './directory/sql-directory.ts';
export { createGroupStore, type GroupStoreOptions } from './groups/groups.ts';
export { openAccountsStore } from './open-store.ts';
export { type AttemptStoreOptions, createAttemptStore } from './stores/attempt-store.ts';
export { createDatabaseCache, type DatabaseCacheOptions } from './stores/database-cache.ts';
export { createFactorStore } from './stores/factor-store.ts';
export { createIdentityStore, type IdentityStoreOptions } from './stores/identity-store.ts';
export { createLinkStore } from './stores/link-store.ts';
export { createRevocationStore } from './stores/revocation-store.ts';
export { type ImportCounts, type ImportOptions, type ImportProblem, importUsers } from './users/import-users.ts';
export { type OpenedUsers, type OpenUsersOptions, openUsers } from './users/open-users.ts';
export { createUsers, type UsersOptions } from './users/users.ts';
