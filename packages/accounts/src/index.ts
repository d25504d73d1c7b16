export { AccountsError, type AccountsErrorCode } from './accounts-error.ts';
export type * from './api.ts';
export type { AccountsDependencies, AccountsEvent, Logger } from './dependencies.ts';
export { type OpenedAccounts, openAccounts } from './open-accounts.ts';
export type {
  AccountsLdap,
  AccountsOptions,
  DirectoryOptions,
  FileDirectoryOptions,
  HttpDirectoryOptions,
  LdapDirectoryOptions,
  SqlDirectoryOptions,
} from './options.ts';
export { createBreachedPasswordCheck } from './passwords/breached-passwords.ts';
export { combineChecks } from './passwords/new-password-check.ts';
export type { ValidateAnswer } from './validate-check/answers.ts';
export { createValidateCheck, type ValidateCheck, type ValidateRequest } from './validate-check/validate-check.ts';
export { callOf, createAccountsOf, type OperationName, operations } from './wire/operations.ts';
export { fromWire, toWire, wireName, wireSchema } from './wire/wire-names.ts';
