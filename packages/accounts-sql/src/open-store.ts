import type { AccountsStore, AccountsStoreOptions } from '@carnet/accounts/store';
import { openSharedDatabase } from './database/shared-database.ts';
import { openSqlDirectory } from './directory/sql-directory.ts';
import { createGroupStore } from './groups/groups.ts';
import { createAttemptStore } from './stores/attempt-store.ts';
import { createDatabaseCache } from './stores/database-cache.ts';
import { createFactorStore } from './stores/factor-store.ts';
import { createIdentityStore } from './stores/identity-store.ts';
import { createIssuerStore } from './stores/issuer-store.ts';
import { createLinkStore } from './stores/link-store.ts';
import { createRevocationStore } from './stores/revocation-store.ts';
import { createUsers } from './users/users.ts';

/** Opens the accounts database for `@carnet/accounts`. */
export const openAccountsStore = async (options: AccountsStoreOptions): Promise<AccountsStore> => {
  const { url, migrate, ...others } = options;
  const database = await openSharedDatabase({ url, migrate, now: options.now });
  const parts = { ...others, database };
  return {
    users: createUsers(parts),
    factors: createFactorStore(parts),
    attempts: createAttemptStore(parts),
    links: createLinkStore(parts),
    groups: createGroupStore(parts),
    identities: createIdentityStore(parts),
    issuers: createIssuerStore(parts),
    revocations: createRevocationStore(parts),
    cache: createDatabaseCache(parts),
    openDirectory: (name) => openSqlDirectory({ ...parts, name }),
    ping: database.ping,
    close: database.close,
  };
};
