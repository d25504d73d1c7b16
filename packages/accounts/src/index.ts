export { AccountsError, type AccountsErrorCode } from './accounts-error.ts';
export type * from './api.ts';
export { accountsCautions, accountsRules } from './config/rules.ts';
export { accountsSchema } from './config/schema.ts';
export type { AccountsDependencies, AccountsEvent, AuditRecord, Logger } from './dependencies.ts';
export type * from './federation/port.ts';
export { createGroupRoutes } from './groups/group-routes.ts';
export { type OpenedAccounts, openAccounts } from './open-accounts.ts';
export {
  type AccountsConfig,
  type AccountsLdap,
  type AccountsOptions,
  accountsOptionsOf,
  type DirectoryOptions,
  type FileDirectoryOptions,
  type HttpDirectoryOptions,
  type LdapDirectoryOptions,
  type OidcProviderOptions,
  type ProviderOptions,
  type SamlProviderOptions,
  type SqlDirectoryOptions,
} from './options.ts';
export { createBreachedPasswordCheck } from './passwords/breached-passwords.ts';
export { combineChecks } from './passwords/new-password-check.ts';
export type { ManagementRequest, ManagementRoute } from './users/route.ts';
export { createUserRoutes } from './users/user-routes.ts';
export type { ValidateAnswer } from './validate-check/answers.ts';
export { createValidateCheck, type ValidateCheck, type ValidateRequest } from './validate-check/validate-check.ts';
export { type ManagementOperations, wrapManagement } from './wire/management.ts';
export { callOf, createAccountsOf, type OperationName, operations } from './wire/operations.ts';
export { fromWire, toWire, wireName, wireSchema } from './wire/wire-names.ts';
