export type { AccountsDependencies, AccountsEvent, Logger } from './dependencies.ts';
export type {
  AccountsOptions,
  DirectoryOptions,
  FactorPolicy,
  FileDirectoryOptions,
  HttpDirectoryOptions,
  LdapDirectoryOptions,
  SqlDirectoryOptions,
} from './options.ts';
export {
  type Accounts,
  type Input,
  type OperationName,
  type Output,
  operations,
  type ShownFactor,
  type ShownUser,
  type SignIn,
} from './wire.ts';
