import { privateJwkMembers } from '../jwk.ts';
import type { Config } from './schema.ts';

const mask = '***';

const privateMembers = new Set<string>(privateJwkMembers);

const redactJwk = (jwk: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(jwk).map(([name, value]) => [name, privateMembers.has(name) ? mask : value]));

/** Takes the password out of a URL: from the part before the host, and from the query. */
const redactUrl = (url: string): string =>
  url
    .replace(/^([\w+-]+:\/\/[^:/?#@]*):.*@/, `$1:${mask}@`)
    .replaceAll(/([?&][^=&]*(?:pass|secret|token|key)[^=&]*=)[^&]*/gi, `$1${mask}`);

/** The configuration with every secret masked: safe to show. */
export const redact = (config: Config): Config => ({
  ...config,
  admin: { ...config.admin, ...(config.admin.token !== undefined && { token: mask }) },
  storage: { url: redactUrl(config.storage.url) },
  secrets: { system: config.secrets.system.map(() => mask) },
  keys: {
    ...config.keys,
    ...(config.keys.jwks !== undefined && { jwks: { keys: config.keys.jwks.keys.map(redactJwk) } }),
  },
});
