import { randomBytes } from 'node:crypto';
import { type AdminApi, createAdminApi } from './api/admin-api.ts';
import { createLoginAttempts, type LoginAttempts } from './attempts/login-attempts.ts';
import { type Config, readConfig } from './config.ts';
import { createSealedCookies, type SealedCookies } from './cookies/sealed-cookie.ts';
import { createFormTokens, type FormTokens } from './csrf/form-token.ts';
import { openDirectory } from './directory/open-directory.ts';
import type { UserDirectory } from './directory/user-directory.ts';
import type { Ui } from './page/ui.ts';

/** The dependencies of the pages. */
export interface Services {
  readonly api: AdminApi;
  readonly directory: UserDirectory;
  readonly formTokens: FormTokens;
  readonly attempts: LoginAttempts;
  readonly ui: Ui;
  readonly cookies: SealedCookies;
  readonly settings: Pick<Config, 'rememberForSeconds' | 'scopesTicked' | 'trustedProxyHops' | 'passwordAcr'>;
}

const shared = globalThis as { carnetCookieSecret?: string };

/** A secret of this process. Every route of Next.js may have a module instance of its own, so that it is kept globally. */
const ownSecret = (): string => {
  shared.carnetCookieSecret ??= randomBytes(32).toString('base64url');
  return shared.carnetCookieSecret;
};

/** Creates the dependencies from the environment. @throws ConfigError if it is not valid */
export const openServices = (env: Readonly<Record<string, string | undefined>>): Services => {
  const config = readConfig(env);
  return {
    api: createAdminApi(config),
    directory: openDirectory(config.directory),
    formTokens: createFormTokens({ secure: config.secureCookies }),
    attempts: createLoginAttempts(),
    ui: { ...config.ui, secureCookies: config.secureCookies },
    cookies: createSealedCookies({ secrets: config.cookieSecrets ?? [ownSecret()], secure: config.secureCookies }),
    settings: config,
  };
};
