import { issuerUrl } from '../flow/urls.ts';
import type { FeaturesConfig } from './features/config.ts';
import { backchannelAuthenticationPath, deviceAuthorizationPath, parPath, routes } from './paths.ts';

export interface EndpointOptions {
  readonly issuer: string;
  readonly features: Pick<FeaturesConfig, 'ciba' | 'device' | 'mtls' | 'par'>;
}

/** The paths of the enabled endpoints at which clients authenticate, by their names in the discovery document. */
const clientPaths = ({ features: { par, device, ciba } }: EndpointOptions): Readonly<Record<string, string>> => ({
  token_endpoint: routes.token,
  revocation_endpoint: routes.revocation,
  ...(par.enabled ? { pushed_authorization_request_endpoint: parPath } : {}),
  ...(device.enabled ? { device_authorization_endpoint: deviceAuthorizationPath } : {}),
  ...(ciba.enabled ? { backchannel_authentication_endpoint: backchannelAuthenticationPath } : {}),
});

/** The endpoints that may ask for a certificate. */
const mtlsPaths = (options: EndpointOptions): Readonly<Record<string, string>> => ({
  ...clientPaths(options),
  userinfo_endpoint: routes.userinfo,
});

/** The endpoints that ask for a certificate, under the name that `features.mtls.baseUrl` gives them (RFC 8705, section 5). */
export const mtlsAliases = (options: EndpointOptions): Readonly<Record<string, string>> => {
  const { enabled, baseUrl } = options.features.mtls;
  if (!enabled || baseUrl === undefined) return {};
  return Object.fromEntries(Object.entries(mtlsPaths(options)).map(([name, path]) => [name, baseUrl + path]));
};

/**
 * The URLs that a DPoP proof for an endpoint may name (RFC 9449, section 4.3): that of the endpoint, and its alias. Both come from
 * the configuration, never from the Host header (D7), and have the same replay records.
 */
export const proofUrls = (options: EndpointOptions) => {
  const aliases = mtlsAliases(options);
  const urlsOf = (name: string, path: string): ReadonlySet<string> =>
    new Set([issuerUrl(options.issuer, path), new URL(aliases[name] ?? issuerUrl(options.issuer, path))].map(String));
  return {
    token: urlsOf('token_endpoint', routes.token),
    userinfo: urlsOf('userinfo_endpoint', routes.userinfo),
    pushed_authorization_request: urlsOf('pushed_authorization_request_endpoint', parPath),
  };
};

/** The audiences that assertions of trusted issuers may name (RFC 7523, section 3). */
export const grantAudiences = (options: EndpointOptions): readonly string[] => {
  const alias = mtlsAliases(options).token_endpoint;
  return [options.issuer, issuerUrl(options.issuer, routes.token).href, ...(alias === undefined ? [] : [alias])];
};

/**
 * The audiences that client assertions may name: the issuer, and each endpoint at which clients authenticate (RFC 7523,
 * section 3; RFC 9126, section 2; OpenID CIBA Core, section 7.1), under each of its names. All of them come from the
 * configuration, so that a forged Host header adds none (D8).
 */
export const assertionAudiences = (options: EndpointOptions): ReadonlySet<string> =>
  new Set([
    options.issuer,
    ...Object.values(clientPaths(options)).map((path) => issuerUrl(options.issuer, path).href),
    ...Object.values(mtlsAliases(options)),
  ]);
