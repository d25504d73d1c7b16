export {
  type CachedDirectory,
  type CachedDirectoryOptions,
  createCachedDirectory,
} from './cache/cached-directory.ts';
export { createMemoryCacheStore, type MemoryCacheStoreOptions } from './cache/memory-cache-store.ts';
export type { CachedUser, CacheStore } from './cache-store.ts';
export type { Account, Authentication, Directories } from './directories.ts';
export { DirectoryError, type DirectoryErrorCode, type DirectoryErrorOptions } from './directory-error.ts';
export { createFileDirectory, type FileDirectoryOptions } from './file/file-directory.ts';
export { createStaticDirectory } from './file/list-directory.ts';
export type { ListedUser } from './file/user-list.ts';
export { createHttpDirectory } from './http/http-directory.ts';
export { createHttpUsers, type HttpUser, type HttpUsers, type HttpUsersOptions } from './http/http-users.ts';
export { isEmail } from './logins/is-email.ts';
export { normaliseLogin } from './logins/normalise-login.ts';
export { createDirectories } from './lookup/create-directories.ts';
export type { DirectoryEntry, Realm } from './lookup/directory-entry.ts';
export { passwordHashProblem } from './passwords/parse-hash.ts';
export { createPasswordCheck, type PasswordCheck } from './passwords/password-check.ts';
export {
  createPasswordHashing,
  type PasswordHashing,
  type PasswordHashingOptions,
} from './passwords/password-hashing.ts';
export type { CheckStep, Claims, Directory, DirectoryUser, PasswordChange, Refusal, Verdict } from './port.ts';
