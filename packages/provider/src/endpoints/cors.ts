import type { ResponseHeaders } from '../http/types.ts';
import { type ProviderClient, recordOf } from '../library/clients.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import { type Endpoint, parPath, routes } from '../library/paths.ts';
import { OAuthError } from '../oauth-error.ts';
import type { EndpointRequest } from './endpoint.ts';

/** The endpoints that may return a DPoP nonce (RFC 9449, section 8). */
const withNonce: ReadonlySet<string> = new Set([routes.token, routes.userinfo, parPath]);

const exposedBy = ({ path, methods }: Endpoint, hasNonces: boolean): readonly string[] => {
  // Documents are public and send no challenge.
  if (methods.includes('HEAD')) return [];
  return hasNonces && withNonce.has(path) ? ['DPoP-Nonce', 'WWW-Authenticate'] : ['WWW-Authenticate'];
};

/** The headers by which pages of other origins may read the response to a request (Fetch Standard, section 3.2). */
export type CorsHeaders = (request: Pick<EndpointRequest, 'method' | 'headers'>) => ResponseHeaders;

/** Undefined for an endpoint that no page of another origin may call. */
export const createCorsHeaders = (
  endpoint: Endpoint,
  { dpop }: Pick<FeaturesConfig, 'dpop'>,
): CorsHeaders | undefined => {
  if (!endpoint.methods.includes('OPTIONS')) return undefined;
  const exposed = exposedBy(endpoint, dpop.enabled && dpop.requireNonce);
  const expose: ResponseHeaders = exposed.length > 0 ? { 'Access-Control-Expose-Headers': exposed.join(',') } : {};
  const preflight: ResponseHeaders = {
    'Access-Control-Allow-Methods': endpoint.methods.filter((name) => name !== 'OPTIONS' && name !== 'HEAD').join(','),
    'Access-Control-Max-Age': '3600',
  };
  return ({ method, headers: { origin = '*', 'access-control-request-headers': asked } }) => {
    const allowed = { Vary: 'Origin', 'Access-Control-Allow-Origin': origin };
    if (method !== 'OPTIONS') return { ...allowed, ...expose };
    return { ...allowed, ...preflight, ...(asked === undefined ? {} : { 'Access-Control-Allow-Headers': asked }) };
  };
};

/** A page of an origin that must not call the endpoint for a client: the page cannot read the response. */
export class OriginError extends OAuthError {}

/**
 * Whether a page of an origin may read the responses to a client. A client that registers origins is limited to those. A
 * public client without any is open to every origin: the page must send a code with its verifier, or a token, and any other
 * program with these gets the same response. Safe because these endpoints read no cookie, and browsers send none:
 * Access-Control-Allow-Credentials is never set. A confidential client must not run in a browser: its secret would leak.
 */
const isAllowedOrigin = (client: ProviderClient, origin: string): boolean => {
  const { allowed_cors_origins: registered = [] } = recordOf(client).metadata;
  return registered.length > 0 ? registered.includes(origin) : client.clientAuthMethod === 'none';
};

/** Whether a page may call an endpoint for a client. @throws {OriginError} */
export const assertOrigin = (origin: string | undefined, client: ProviderClient): void => {
  if (origin === undefined || isAllowedOrigin(client, origin)) return;
  throw new OriginError('invalid_request', `origin ${origin} not allowed for client: ${recordOf(client).id}`);
};
