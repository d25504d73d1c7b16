import { type AdminApi, createAdminApi } from './api/admin-api.ts';
import { createLoginAttempts, type LoginAttempts } from './attempts/login-attempts.ts';
import { type Config, readConfig } from './config.ts';
import { createFormTokens, type FormTokens } from './csrf/form-token.ts';
import { openDirectory } from './directory/open-directory.ts';
import type { UserDirectory } from './directory/user-directory.ts';

/** The dependencies of the pages. */
export interface Services {
  readonly api: AdminApi;
  readonly directory: UserDirectory;
  readonly formTokens: FormTokens;
  readonly attempts: LoginAttempts;
  readonly settings: Pick<Config, 'rememberForSeconds' | 'scopesTicked' | 'trustedProxyHops' | 'passwordAcr'>;
}

/** Creates the dependencies from the environment. @throws ConfigError if it is not valid */
export const openServices = (env: Readonly<Record<string, string | undefined>>): Services => {
  const config = readConfig(env);
  return {
    api: createAdminApi(config),
    directory: openDirectory(config.directory),
    formTokens: createFormTokens({ secure: config.secureCookies }),
    attempts: createLoginAttempts(),
    settings: config,
  };
};
