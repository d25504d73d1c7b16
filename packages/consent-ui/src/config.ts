import { z } from 'zod';
import type { Ui } from './page/ui.ts';
import { readUi } from './read-ui.ts';
import { withSecretFiles } from './secret-files.ts';

const webUrl = (key: string) =>
  z
    .url({ protocol: /^https?$/, error: `${key} must be an http or https URL` })
    .transform((text) => new URL(text))
    .refine((url) => url.search === '' && url.hash === '', { error: `${key} must have no query and no fragment` });

const count = (key: string, minimum: number) =>
  z.coerce
    .number(`${key} must be a number`)
    .int(`${key} must be a whole number`)
    .min(minimum, `${key} must be at least ${minimum}`);

const cookieSecrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine((secrets) => secrets.every((secret) => secret.length >= 32), {
    error: 'UI_COOKIE_SECRET needs at least 32 characters: create one with `openssl rand -base64 32`',
  })
  .transform((secrets) => secrets as [string, ...string[]]);

/** The rule of `@carnet/adapter-contract/kit`, for the host of an http URL. */
const isLoopback = (hostname: string): boolean => /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);

/** The URL of this UI. On this machine it has the name localhost, because passkeys refuse an IP address. */
const uiUrlOf = (values: { CARNET_UI_URL?: URL | undefined; CARNET_ISSUER: URL; PORT: number }): URL => {
  if (values.CARNET_UI_URL) return values.CARNET_UI_URL;
  return isLoopback(values.CARNET_ISSUER.hostname)
    ? new URL(`http://localhost:${values.PORT}`)
    : new URL(values.CARNET_ISSUER.origin);
};

const environment = z.object({
  CARNET_ADMIN_URL: webUrl('CARNET_ADMIN_URL').prefault('http://127.0.0.1:4445'),
  CARNET_ADMIN_TOKEN: z.string().optional(),
  CARNET_ISSUER: webUrl('CARNET_ISSUER').prefault('http://127.0.0.1:4444'),
  CARNET_UI_URL: webUrl('CARNET_UI_URL').optional(),
  PORT: count('PORT', 0).prefault(3000),
  CONSENT_TICKED: z.enum(['0', '1'], 'CONSENT_TICKED is either 0 or 1').prefault('1'),
  REMEMBER_FOR_SECONDS: count('REMEMBER_FOR_SECONDS', 0).prefault(3600),
  TRUSTED_PROXY_HOPS: count('TRUSTED_PROXY_HOPS', 0).prefault(0),
  UI_COOKIE_SECRET: cookieSecrets.optional(),
});

export interface Config {
  readonly adminUrl: URL;
  readonly adminToken: string | undefined;
  readonly issuer: URL;
  /** The URL by which browsers reach this UI. */
  readonly uiUrl: URL;
  /** Whether browsers reach this UI by https; then its cookies are Secure and have the `__Host-` prefix. */
  readonly secureCookies: boolean;
  /** How long a remembered login or consent lasts, in seconds; 0 leaves it to the provider. */
  readonly rememberForSeconds: number;
  /** Whether scopes are ticked at first. In Hydra's reference app the user must tick them. */
  readonly scopesTicked: boolean;
  /** How many reverse proxies in front of this UI append to X-Forwarded-For. */
  readonly trustedProxyHops: number;
  readonly ui: Omit<Ui, 'secureCookies'>;
  /** The secrets of sealed cookies: the first seals, all open. */
  readonly cookieSecrets: readonly [string, ...string[]] | undefined;
}

/** All problems of the environment variables, reported at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The pages had users of their own. With the same variables, they would start with other users than the operator expects. */
const removed = ['USER_DIRECTORY_URL', 'USER_DIRECTORY_TOKEN', 'DEMO_USERS_FILE', 'CARNET_DEMO_USERS'];

/**
 * Reads the configuration. An empty variable is treated as not set.
 *
 * @throws ConfigError that names each variable and what to do
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const problems: string[] = [];
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const present = withSecretFiles(set, (problem) => problems.push(problem));
  for (const key of removed.filter((each) => each in present)) {
    problems.push(`${key} is no longer read: set accounts.directories of Carnet (docs/guides/directories.md)`);
  }
  const result = environment.safeParse(present);
  problems.push(...(result.error?.issues ?? []).map((issue) => issue.message));
  const ui = readUi(present, (problem) => problems.push(problem));
  if (!result.success || problems.length > 0) {
    throw new ConfigError(`The consent UI can't start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
  const values = result.data;
  return {
    adminUrl: values.CARNET_ADMIN_URL,
    adminToken: values.CARNET_ADMIN_TOKEN,
    issuer: values.CARNET_ISSUER,
    uiUrl: uiUrlOf(values),
    secureCookies: (values.CARNET_UI_URL ?? values.CARNET_ISSUER).protocol === 'https:',
    rememberForSeconds: values.REMEMBER_FOR_SECONDS,
    scopesTicked: values.CONSENT_TICKED === '1',
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    ui,
    cookieSecrets: values.UI_COOKIE_SECRET,
  };
};
