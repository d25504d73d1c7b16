import { randomBytes } from 'node:crypto';
import { type Accounts, createAccountsClient } from '@carnet/accounts/client';
import { type AccountClient, createAccountClient } from './account/account-client.ts';
import { withKeptSettings } from './accounts/kept-settings.ts';
import { type AdminApi, createAdminApi } from './api/admin-api.ts';
import { createSessionsApi, type SessionsApi } from './api/sessions-api.ts';
import { createSealedCookies, type SealedCookies } from './cookies/sealed-cookie.ts';
import { createFormTokens, type FormTokens } from './csrf/form-token.ts';
import { type AttemptLimit, createAttemptLimit } from './device/attempt-limit.ts';
import type { Ui } from './page/ui.ts';
import { type Config, readConfig } from './settings/config.ts';
import type { Given } from './settings/read-settings.ts';

/** The dependencies of the pages. */
export interface Services {
  readonly api: AdminApi;
  readonly accounts: Accounts;
  readonly formTokens: FormTokens;
  /** Wrong codes of devices by address: the provider's limit for all users together must not be used up by one address. */
  readonly userCodes: AttemptLimit;
  readonly ui: Ui;
  readonly cookies: SealedCookies;
  readonly sessionsApi: SessionsApi;
  readonly accountClient: AccountClient;
  readonly settings: Pick<Config, 'rememberForSeconds' | 'consentTicked' | 'trustedProxyHops' | 'uiUrl' | 'issuer'>;
}

/** Handles a request to a page. */
export type Operation = (services: Services, request: Request) => Promise<Response>;

/** Creates the dependencies from the settings. @throws ConfigError if they are not valid */
export const openServices = (given: Given): Services => {
  const config = readConfig(given);
  const sessionsApi = createSessionsApi(config);
  return {
    api: createAdminApi(config),
    accounts: withKeptSettings(createAccountsClient({ url: config.adminUrl, token: config.adminToken })),
    formTokens: createFormTokens({ secure: config.secureCookies }),
    userCodes: createAttemptLimit({ limit: 20, windowSeconds: 300 }),
    ui: { ...config.ui, secureCookies: config.secureCookies },
    cookies: createSealedCookies({
      secrets: config.cookieSecrets ?? [randomBytes(32).toString('base64url')],
      secure: config.secureCookies,
      issuer: config.issuer,
    }),
    sessionsApi,
    accountClient: createAccountClient({ ...config, sessionsApi }),
    settings: config,
  };
};
