export {
  type AccountsDatabase,
  type AccountsMigrator,
  type DatabaseOptions,
  openAccountsDatabase,
  openAccountsMigrator,
} from './database/accounts-database.ts';
export { openSqlDirectory, type SqlDirectoryOptions } from './directory/sql-directory.ts';
export {
  createLinks,
  type EmailLink,
  type LinkKind,
  type Links,
  type LinksOptions,
  type Opened,
  type RecoveryLink,
  type SignUpLink,
} from './links/links.ts';
export { type AttemptStoreOptions, createAttemptStore } from './stores/attempt-store.ts';
export { createDatabaseCache, type DatabaseCacheOptions } from './stores/database-cache.ts';
export { createFactorStore } from './stores/factor-store.ts';
export { createLinkStore, type LinkStore } from './stores/link-store.ts';
export { type BreachedPasswordsOptions, createBreachedPasswordCheck } from './users/breached-passwords.ts';
export type { EmailChange, EmailSetting } from './users/change-email.ts';
export type { ClaimsUpdate } from './users/claims.ts';
export { type ImportCounts, type ImportOptions, type ImportProblem, importUsers } from './users/import-users.ts';
export { combineChecks, type NewPasswordCheck } from './users/new-password-check.ts';
export { type OpenedUsers, type OpenUsersOptions, openUsers } from './users/open-users.ts';
export type { User, UserPage, UserSummary } from './users/user.ts';
export {
  type Creation,
  type CreationRefusal,
  createUsers,
  type NewUser,
  type PasswordSetting,
  type Users,
  type UsersOptions,
} from './users/users.ts';
