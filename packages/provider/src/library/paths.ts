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
export const createPaths = (ofFeatures: Readonly<Record<string, Endpoint>>) => {
  const endpoints = [...base, ...Object.values(ofFeatures)];
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  return {
    endpoints,
    /** The endpoint at a path below the issuer; undefined for a path of the host application. */
    endpointAt: (path: string): Endpoint | undefined => byPath.get(path),
    /** Whether errors are pages there. */
    isForBrowsers: (path: string): boolean => byPath.get(path)?.isForBrowsers === true,
    /** For oidc-provider's configuration. */
    routes: { ...routes, ...Object.fromEntries(Object.entries(ofFeatures).map(([name, { path }]) => [name, path])) },
  };
};

export type Paths = ReturnType<typeof createPaths>;

/** Where a client looks for the metadata of an issuer with a path (RFC 8414, section 3.1). */
export const metadataAliases = (basePath: string): ReadonlyMap<string, string> =>
  new Map(basePath === '' ? [] : [...documentPaths].map((path) => [path + basePath, path]));
