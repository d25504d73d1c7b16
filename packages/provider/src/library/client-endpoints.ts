import type { Context } from 'koa';
import type { Provider } from 'oidc-provider';
import { decodeJwtPayload } from '../flow/jwt-payload.ts';
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

const isHtuOf = (proof: string, url: string): boolean => {
  const htu = URL.parse(String(decodeJwtPayload(proof).htu));
  return htu !== null && htu.origin + htu.pathname === url;
};

/**
 * Returns the URL that a DPoP proof for an endpoint must name (RFC 9449, section 4.3): its alias, if the proof names the alias,
 * and its URL otherwise. Safe: both come from the configuration, never from the Host header, and have the same replay records.
 */
const createProofUrl = (options: EndpointOptions): ((url: string, proof: string) => string) => {
  const named = mtlsAliases(options);
  const aliases = new Map(
    Object.entries(mtlsPaths(options)).map(([name, path]) => [issuerUrl(options.issuer, path).href, named[name]]),
  );
  return (url, proof) => {
    const alias = proof === '' ? undefined : aliases.get(url);
    return alias !== undefined && isHtuOf(proof, alias) ? alias : url;
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
const assertionAudiences = (options: EndpointOptions): ReadonlySet<string> =>
  new Set([
    options.issuer,
    ...Object.values(clientPaths(options)).map((path) => issuerUrl(options.issuer, path).href),
    ...Object.values(mtlsAliases(options)),
  ]);

/**
 * Has oidc-provider build the URLs that DPoP proofs name (D7), and the audiences of assertions (D8), from the issuer, never from
 * the Host header. This patches a public class, as `clients.ts` replaces `Client.find`: check both with each new version.
 */
export const fixUrls = (provider: Provider, options: EndpointOptions): void => {
  const audiences = assertionAudiences(options);
  const proofUrl = createProofUrl(options);
  Object.assign((provider.OIDCContext as unknown as { prototype: object }).prototype, {
    urlFor(this: { readonly ctx: Context }, name: string): string {
      return proofUrl(provider.urlFor(name), this.ctx.get('DPoP'));
    },
    clientJwtAuthExpectedAudience: () => audiences,
  });
};
