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

/** Endpoints of features, at which clients authenticate. */
export const parPath = '/oauth2/par';
export const deviceAuthorizationPath = '/oauth2/device/auth';
export const backchannelAuthenticationPath = '/oauth2/bc-authorize';

/** A public endpoint. */
export interface Endpoint {
  /** Below the issuer. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'OPTIONS')[];
  /** Its errors are pages, not JSON. */
  readonly isForBrowsers?: true;
}

const openidDiscovery = '/.well-known/openid-configuration';
const oauthDiscovery = '/.well-known/oauth-authorization-server';
/** Where the metadata of the provider is. */
export const documentPaths: ReadonlySet<string> = new Set([openidDiscovery, oauthDiscovery]);

/**
 * The endpoints that do not depend on features. HEAD is for documents only: a link preview must have no effect
 * elsewhere.
 */
const base: readonly Endpoint[] = [
  { path: routes.authorization, methods: ['GET', 'POST'], isForBrowsers: true },
  { path: routes.token, methods: ['POST', 'OPTIONS'] },
  { path: routes.revocation, methods: ['POST', 'OPTIONS'] },
  { path: routes.userinfo, methods: ['GET', 'POST', 'OPTIONS'] },
  { path: routes.jwks, methods: ['GET', 'HEAD', 'OPTIONS'] },
  { path: routes.end_session, methods: ['GET', 'POST'], isForBrowsers: true },
  { path: openidDiscovery, methods: ['GET', 'HEAD', 'OPTIONS'] },
  { path: oauthDiscovery, methods: ['GET', 'HEAD', 'OPTIONS'] },
];

/** The endpoints of one provider. */
export interface Paths {
  readonly endpoints: readonly Endpoint[];
  /** The endpoint at a path below the issuer; undefined for a path of the host application. */
  endpointAt(path: string): Endpoint | undefined;
  /** Whether errors are pages there. */
  isForBrowsers(path: string): boolean;
  /** For oidc-provider's configuration. */
  readonly routes: Readonly<Record<string, string>>;
}

export const createPaths = (endpoints: Readonly<Record<string, Endpoint>>): Paths => {
  const all = [...base, ...Object.values(endpoints)];
  const byPath = new Map(all.map((endpoint) => [endpoint.path, endpoint]));
  return {
    endpoints: all,
    endpointAt: (path) => byPath.get(path),
    isForBrowsers: (path) => byPath.get(path)?.isForBrowsers === true,
    routes: { ...routes, ...Object.fromEntries(Object.entries(endpoints).map(([name, { path }]) => [name, path])) },
  };
};

/** Where a client looks for the metadata of an issuer with a path (RFC 8414, section 3.1). */
export const metadataAliases = (basePath: string): Readonly<Record<string, string>> =>
  basePath === '' ? {} : { [oauthDiscovery + basePath]: oauthDiscovery, [openidDiscovery + basePath]: openidDiscovery };
