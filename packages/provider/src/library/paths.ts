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

export type EndpointMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';

/** A public endpoint. */
export interface Endpoint {
  /** Below the issuer. A last segment `:id` matches any single segment. */
  readonly path: string;
  readonly methods: readonly EndpointMethod[];
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
  /**
   * The endpoint at a path below the issuer; undefined for a path of the host application. The comparison is exact,
   * although oidc-provider's router is lenient: otherwise a request could reach an endpoint without passing Carnet's
   * middleware.
   */
  endpointAt(path: string): Endpoint | undefined;
  /** Whether errors are pages there. */
  isForBrowsers(path: string): boolean;
  /** For oidc-provider's configuration. */
  readonly routes: Readonly<Record<string, string>>;
}

export const createPaths = (endpoints: Readonly<Record<string, Endpoint>>): Paths => {
  const all = [...base, ...Object.values(endpoints)];
  const exact = new Map(all.map((endpoint) => [endpoint.path, endpoint]));
  const below = new Map(
    all.filter(({ path }) => path.endsWith('/:id')).map((endpoint) => [endpoint.path.slice(0, -3), endpoint]),
  );
  const endpointAt = (path: string): Endpoint | undefined =>
    exact.get(path) ?? below.get(path.slice(0, path.lastIndexOf('/') + 1));
  return {
    endpoints: all,
    endpointAt,
    // While oidc-provider forms the answer of a flow, its path is below the authorization endpoint.
    isForBrowsers: (path) => endpointAt(path)?.isForBrowsers === true || path.startsWith(`${authorizationPath}/`),
    routes: {
      ...routes,
      ...Object.fromEntries(Object.entries(endpoints).map(([name, { path }]) => [name, path.replace(/\/:id$/, '')])),
    },
  };
};

/** Where a client looks for the metadata of an issuer with a path (RFC 8414, section 3.1). */
export const metadataAliases = (basePath: string): Readonly<Record<string, string>> =>
  basePath === '' ? {} : { [oauthDiscovery + basePath]: oauthDiscovery, [openidDiscovery + basePath]: openidDiscovery };
