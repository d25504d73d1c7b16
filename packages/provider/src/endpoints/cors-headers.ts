import type { OutgoingHttpHeaders } from 'node:http';
import type { FeaturesConfig } from '../library/features/config.ts';
import { type Endpoint, type Paths, parPath, routes } from '../library/paths.ts';

/** The endpoints that may return a DPoP nonce (RFC 9449, section 8). */
const withNonce: ReadonlySet<string> = new Set([routes.token, routes.userinfo, parPath]);

const exposedBy = ({ path, methods }: Endpoint, hasNonces: boolean): readonly string[] => {
  // Documents are public and send no challenge.
  if (methods.includes('HEAD')) return [];
  return hasNonces && withNonce.has(path) ? ['DPoP-Nonce', 'WWW-Authenticate'] : ['WWW-Authenticate'];
};

/** The headers of an endpoint with CORS for a request without `Origin`, for every response. */
export const createCorsHeaders =
  ({ endpointAt }: Pick<Paths, 'endpointAt'>, { dpop }: Pick<FeaturesConfig, 'dpop'>) =>
  (path: string): OutgoingHttpHeaders => {
    const endpoint = endpointAt(path);
    if (!endpoint?.methods.includes('OPTIONS')) return {};
    const exposed = exposedBy(endpoint, dpop.enabled && dpop.requireNonce);
    return {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': '*',
      ...(exposed.length > 0 ? { 'Access-Control-Expose-Headers': exposed.join(',') } : {}),
    };
  };
