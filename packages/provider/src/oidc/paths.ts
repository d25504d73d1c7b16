import { authorizationPath, logoutPath } from '../flow/urls.ts';

/** oidc-provider's endpoints under the paths that Hydra's users know. */
export const routes = {
  authorization: authorizationPath,
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
  end_session: logoutPath,
} as const;

const openidDiscovery = '/.well-known/openid-configuration';
const oauthDiscovery = '/.well-known/oauth-authorization-server';
const paths = new Set<string>([...Object.values(routes), openidDiscovery, oauthDiscovery]);

/**
 * Whether a path below the issuer is the provider's: everything else belongs to the application it is mounted in. Exact,
 * though oidc-provider's router is lenient: what it would take for an endpoint must not get around our middleware.
 */
export const isProviderPath = (path: string): boolean => paths.has(path);

const methods: Readonly<Record<string, readonly string[]>> = {
  [routes.authorization]: ['GET', 'POST'],
  [routes.token]: ['POST', 'OPTIONS'],
  [routes.revocation]: ['POST', 'OPTIONS'],
  [routes.userinfo]: ['GET', 'POST', 'OPTIONS'],
  [routes.jwks]: ['GET', 'HEAD', 'OPTIONS'],
  [routes.end_session]: ['GET', 'POST'],
  [openidDiscovery]: ['GET', 'HEAD', 'OPTIONS'],
  [oauthDiscovery]: ['GET', 'HEAD', 'OPTIONS'],
};

/** What a path answers to. HEAD is for documents: elsewhere a preview of a link must not carry out what it stands for. */
export const methodsOf = (path: string): readonly string[] => methods[path] ?? [];

/** Where a client looks for the metadata of an issuer with a path (RFC 8414, section 3.1). */
export const metadataAliases = (basePath: string): Readonly<Record<string, string>> =>
  basePath === '' ? {} : { [oauthDiscovery + basePath]: oauthDiscovery, [openidDiscovery + basePath]: openidDiscovery };
