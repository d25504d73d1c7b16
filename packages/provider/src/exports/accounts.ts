/** `@carnet/provider/accounts`: the users of a configuration, for programs that check directories or migrate the accounts database. */
export { openAccountsMigrator, withAccounts } from '../assembly/accounts.ts';
