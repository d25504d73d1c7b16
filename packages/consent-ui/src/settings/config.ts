import type { Ui } from '../page/ui.ts';
import { checkSettings, type Given } from './read-settings.ts';
import { readUi } from './read-ui.ts';

export interface Config {
  readonly adminUrl: URL;
  readonly adminToken: string | undefined;
  readonly issuer: URL;
  /** The URL by which browsers reach the pages. */
  readonly uiUrl: URL;
  /** Whether browsers reach the pages by https; then their cookies are Secure and have the `__Host-` prefix. */
  readonly secureCookies: boolean;
  /** How long a remembered login or consent lasts, in seconds; 0 leaves it to the provider. */
  readonly rememberForSeconds: number;
  /** Whether scopes are ticked at first. In Hydra's reference app the user must tick them. */
  readonly scopesTicked: boolean;
  /** How many reverse proxies in front of the pages append to X-Forwarded-For. */
  readonly trustedProxyHops: number;
  readonly ui: Omit<Ui, 'secureCookies'>;
  /** The secrets of sealed cookies: the first seals, all open. */
  readonly cookieSecrets: readonly [string, ...string[]] | undefined;
}

/** All problems of the settings, reported at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError that names each setting, or its variable, and what to do */
export const readConfig = (given: Given): Config => {
  const problems: string[] = [];
  const checked = checkSettings(given, (problem) => problems.push(problem));
  const { values } = checked;
  const ui = readUi(checked);
  if (problems.length > 0)
    throw new ConfigError(`The consent UI can't start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  const uiUrl = values.url ?? new URL(values.issuer.origin);
  return {
    adminUrl: values.adminUrl,
    adminToken: values.adminToken,
    issuer: values.issuer,
    uiUrl,
    secureCookies: uiUrl.protocol === 'https:',
    rememberForSeconds: values.rememberForSeconds,
    scopesTicked: values.consentTicked,
    trustedProxyHops: values.trustedProxyHops,
    ui,
    cookieSecrets: values.cookieSecrets,
  };
};
