import { accounts } from './0001-accounts.ts';
import { links } from './0002-links.ts';
import { deletion } from './0003-deletion.ts';
import { identities } from './0004-identities.ts';
import { management } from './0005-management.ts';
import { providerIssuers } from './0006-provider-issuers.ts';
import { groups } from './0007-groups.ts';
import { loginSearch } from './0008-login-search.ts';
import type { MigrationStep } from './migration-step.ts';

/** Every step by its name. The steps are applied in the order of their names. */
export const migrations: Readonly<Record<string, MigrationStep>> = {
  '0001-accounts': accounts,
  '0002-links': links,
  '0003-deletion': deletion,
  '0004-identities': identities,
  '0005-management': management,
  '0006-provider-issuers': providerIssuers,
  '0007-groups': groups,
  '0008-login-search': loginSearch,
};
