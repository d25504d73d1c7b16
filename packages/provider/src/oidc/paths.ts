/** oidc-provider's endpoints under the paths that Hydra's users know. */
export const routes = {
  authorization: '/oauth2/auth',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
  end_session: '/oauth2/sessions/logout',
} as const;

const openidDiscovery = '/.well-known/openid-configuration';
const oauthDiscovery = '/.well-known/oauth-authorization-server';
const exact = new Set<string>([routes.userinfo, routes.jwks, openidDiscovery, oauthDiscovery]);

/** Whether a path below the issuer is the provider's: everything else belongs to the application it is mounted in. */
export const isProviderPath = (path: string): boolean => path.startsWith('/oauth2/') || exact.has(path);

/** Where a client looks for the metadata of an issuer with a path (RFC 8414, section 3.1). */
export const metadataAliases = (basePath: string): Readonly<Record<string, string>> =>
  basePath === '' ? {} : { [oauthDiscovery + basePath]: oauthDiscovery, [openidDiscovery + basePath]: openidDiscovery };
