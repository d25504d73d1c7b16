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

interface DirectorySettings {
  readonly CARNET_ISSUER: URL;
  readonly USER_DIRECTORY_URL?: URL | undefined;
  readonly USER_DIRECTORY_TOKEN?: string | undefined;
  readonly DEMO_USERS_FILE?: string | undefined;
  readonly CARNET_DEMO_USERS?: '1' | undefined;
}

/** A directory that this app asks itself. */
export type OwnDirectorySource =
  | { readonly kind: 'http'; readonly url: URL; readonly token: string | undefined }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'demo' };

/** The source of the users. `accounts`: Carnet checks them, by its section `accounts`. */
export type DirectorySource = OwnDirectorySource | { readonly kind: 'accounts' };

const isLoopback = (hostname: string): boolean =>
  ['127.0.0.1', '[::1]', 'localhost'].includes(hostname) || hostname.endsWith('.localhost');

const directorySource = (settings: DirectorySettings): DirectorySource | string => {
  if (settings.USER_DIRECTORY_URL) {
    return { kind: 'http', url: settings.USER_DIRECTORY_URL, token: settings.USER_DIRECTORY_TOKEN };
  }
  if (settings.DEMO_USERS_FILE) return { kind: 'file', path: settings.DEMO_USERS_FILE };
  if (!settings.CARNET_DEMO_USERS) return { kind: 'accounts' };
  // The passwords of the built-in users are public. Outside of loopback any caller could sign in with them.
  if (!isLoopback(settings.CARNET_ISSUER.hostname)) {
    return 'CARNET_DEMO_USERS works with an issuer on this machine only: use USER_DIRECTORY_URL or DEMO_USERS_FILE';
  }
  return { kind: 'demo' };
};

/** The URL of this UI. On this machine it has the name localhost, because passkeys refuse an IP address. */
const uiUrlOf = (values: { CARNET_UI_URL?: URL | undefined; CARNET_ISSUER: URL; PORT: number }): URL => {
  if (values.CARNET_UI_URL) return values.CARNET_UI_URL;
  return isLoopback(values.CARNET_ISSUER.hostname)
    ? new URL(`http://localhost:${values.PORT}`)
    : new URL(values.CARNET_ISSUER.origin);
};

const environment = z
  .object({
    CARNET_ADMIN_URL: webUrl('CARNET_ADMIN_URL').prefault('http://127.0.0.1:4445'),
    CARNET_ADMIN_TOKEN: z.string().optional(),
    CARNET_ISSUER: webUrl('CARNET_ISSUER').prefault('http://127.0.0.1:4444'),
    CARNET_UI_URL: webUrl('CARNET_UI_URL').optional(),
    USER_DIRECTORY_URL: webUrl('USER_DIRECTORY_URL').optional(),
    USER_DIRECTORY_TOKEN: z.string().optional(),
    DEMO_USERS_FILE: z.string().optional(),
    CARNET_DEMO_USERS: z.literal('1', 'CARNET_DEMO_USERS is either 1 or not set').optional(),
    PORT: count('PORT', 0).prefault(3000),
    CONSENT_TICKED: z.enum(['0', '1'], 'CONSENT_TICKED is either 0 or 1').prefault('1'),
    REMEMBER_FOR_SECONDS: count('REMEMBER_FOR_SECONDS', 0).prefault(3600),
    PASSWORD_ACR: z.string().prefault('urn:carnet:1fa'),
    TRUSTED_PROXY_HOPS: count('TRUSTED_PROXY_HOPS', 0).prefault(0),
    UI_COOKIE_SECRET: cookieSecrets.optional(),
  })
  .transform((values, context) => {
    const source = directorySource(values);
    if (typeof source !== 'string') return { ...values, source };
    context.addIssue(source);
    return z.NEVER;
  });

export interface Config {
  readonly adminUrl: URL;
  readonly adminToken: string | undefined;
  readonly issuer: URL;
  /** The URL by which browsers reach this UI. */
  readonly uiUrl: URL;
  /** Whether browsers reach this UI by https; then its cookies are Secure and have the `__Host-` prefix. */
  readonly secureCookies: boolean;
  readonly directory: DirectorySource;
  /** How long a remembered login or consent lasts, in seconds; 0 leaves it to the provider. */
  readonly rememberForSeconds: number;
  /** Whether scopes are ticked at first. In Hydra's reference app the user must tick them. */
  readonly scopesTicked: boolean;
  /** The `acr` of a login by password. */
  readonly passwordAcr: string;
  /** How many reverse proxies in front of this UI append to X-Forwarded-For. */
  readonly trustedProxyHops: number;
  /** The secrets of sealed cookies: the first seals, all open. */
  readonly ui: Omit<Ui, 'secureCookies'>;
  readonly cookieSecrets: readonly [string, ...string[]] | undefined;
}

/** All problems of the environment variables, reported at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration. An empty variable is treated as not set.
 *
 * @throws ConfigError that names each variable and what to do
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const problems: string[] = [];
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const present = withSecretFiles(set, (problem) => problems.push(problem));
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
    directory: values.source,
    rememberForSeconds: values.REMEMBER_FOR_SECONDS,
    scopesTicked: values.CONSENT_TICKED === '1',
    passwordAcr: values.PASSWORD_ACR,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    ui,
    cookieSecrets: values.UI_COOKIE_SECRET,
  };
};
