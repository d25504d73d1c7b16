/** `@carnet/accounts/config`: the section `accounts` of a configuration, for programs that read one. It loads no directory. */
export { directorySecrets } from './config/directories.ts';
export { providerSecrets } from './config/providers.ts';
export { accountsCautions, accountsRules } from './config/rules.ts';
export { accountsSchema, devAccounts } from './config/schema.ts';
export type { AccountsConfig } from './options.ts';
