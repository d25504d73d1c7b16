import { randomBytes } from 'node:crypto';
import { type Accounts, createAccountsClient } from '@carnet/accounts/client';
import { type AccountClient, createAccountClient } from './account/account-client.ts';
import { type AdminApi, createAdminApi } from './api/admin-api.ts';
import { createSessionsApi, type SessionsApi } from './api/sessions-api.ts';
import { createLoginAttempts, type LoginAttempts } from './attempts/login-attempts.ts';
import { type Config, readConfig } from './config.ts';
import { createSealedCookies, type SealedCookies } from './cookies/sealed-cookie.ts';
import { createFormTokens, type FormTokens } from './csrf/form-token.ts';
import { openDirectory } from './directory/open-directory.ts';
import type { Ui } from './page/ui.ts';
import { createAccountsUsers } from './users/accounts-users.ts';
import { createDirectoryUsers } from './users/directory-users.ts';
import { withKeptSettings } from './users/kept-settings.ts';
import type { Users } from './users/users.ts';

/** The dependencies of the pages. */
export interface Services {
  readonly api: AdminApi;
  readonly users: Users;
  /** Undefined if this app checks passwords itself. */
  readonly accounts: Accounts | undefined;
  readonly formTokens: FormTokens;
  readonly attempts: LoginAttempts;
  readonly ui: Ui;
  readonly cookies: SealedCookies;
  readonly sessionsApi: SessionsApi;
  readonly accountClient: AccountClient;
  readonly settings: Pick<
    Config,
    'rememberForSeconds' | 'scopesTicked' | 'trustedProxyHops' | 'passwordAcr' | 'uiUrl' | 'issuer'
  >;
}

const shared = globalThis as { carnetCookieSecret?: string };

/** A secret of this process. Every route of Next.js may have a module instance of its own, so that it is kept globally. */
const ownSecret = (): string => {
  shared.carnetCookieSecret ??= randomBytes(32).toString('base64url');
  return shared.carnetCookieSecret;
};

const openUsers = (config: Config, attempts: LoginAttempts): Pick<Services, 'users' | 'accounts'> => {
  const { directory: source, adminUrl, adminToken, passwordAcr } = config;
  if (source.kind === 'accounts') {
    const accounts = withKeptSettings(createAccountsClient({ url: adminUrl, token: adminToken }));
    return { users: createAccountsUsers(accounts), accounts };
  }
  return {
    users: createDirectoryUsers({ directory: openDirectory(source), attempts, passwordAcr }),
    accounts: undefined,
  };
};

/** Creates the dependencies from the environment. @throws ConfigError if it is not valid */
export const openServices = (env: Readonly<Record<string, string | undefined>>): Services => {
  const config = readConfig(env);
  const attempts = createLoginAttempts();
  const sessionsApi = createSessionsApi(config);
  return {
    api: createAdminApi(config),
    ...openUsers(config, attempts),
    formTokens: createFormTokens({ secure: config.secureCookies }),
    attempts,
    ui: { ...config.ui, secureCookies: config.secureCookies },
    cookies: createSealedCookies({ secrets: config.cookieSecrets ?? [ownSecret()], secure: config.secureCookies }),
    sessionsApi,
    accountClient: createAccountClient({ ...config, sessionsApi }),
    settings: config,
  };
};
