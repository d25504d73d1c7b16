import { privateJwkMembers } from '../jwk.ts';
import type { StorageConfig } from '../storage/config.ts';
import type { Config } from './schema.ts';

const mask = '***';

const privateMembers = new Set<string>(privateJwkMembers);

const redactJwk = (jwk: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(jwk).map(([name, value]) => [name, privateMembers.has(name) ? mask : value]));

/** Takes the password out of a URL: from the part before the host, and from the query. */
export const redactUrl = (url: string): string =>
  url
    .replace(/^([\w+-]+:\/\/[^:/?#@]*):.*@/, `$1:${mask}@`)
    .replaceAll(/([?&][^=&]*(?:pass|secret|token|key)[^=&]*=)[^&]*/gi, `$1${mask}`);

const redactStorage = (storage: StorageConfig): StorageConfig =>
  Object.fromEntries(
    Object.entries(storage).map(([key, value]) => [key, typeof value === 'string' ? redactUrl(value) : value]),
  ) as unknown as StorageConfig;

/** Who knows the salt can tell which person a pairwise subject is. */
const redactOidc = (oidc: Config['oidc']): Config['oidc'] => {
  const { subjectIdentifiers: subjects } = oidc;
  if (subjects.pairwise.salt === undefined) return oidc;
  return { ...oidc, subjectIdentifiers: { ...subjects, pairwise: { ...subjects.pairwise, salt: mask } } };
};

const redactHook = (hook: Config['hooks']['token']): Config['hooks']['token'] => ({
  ...hook,
  ...(hook.url !== undefined && { url: redactUrl(hook.url) }),
  ...(hook.auth.value !== undefined && { auth: { ...hook.auth, value: mask } }),
});

/** The configuration with every secret masked: safe to show. */
export const redact = (config: Config): Config => ({
  ...config,
  admin: { ...config.admin, ...(config.admin.token !== undefined && { token: mask }) },
  storage: redactStorage(config.storage),
  secrets: { system: config.secrets.system.map(() => mask) },
  oidc: redactOidc(config.oidc),
  hooks: {
    ...config.hooks,
    token: redactHook(config.hooks.token),
    refreshToken: redactHook(config.hooks.refreshToken),
  },
  keys: {
    ...config.keys,
    ...(config.keys.jwks !== undefined && { jwks: { keys: config.keys.jwks.keys.map(redactJwk) } }),
  },
});
