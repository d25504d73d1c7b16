export type { CachedUser, CacheStore } from './cache-store.ts';
export type { Account, Authentication, Directories } from './directories.ts';
export { DirectoryError, type DirectoryErrorCode } from './directory-error.ts';
export type { CheckStep, Claims, Directory, DirectoryUser, PasswordChange, Refusal, Verdict } from './port.ts';
