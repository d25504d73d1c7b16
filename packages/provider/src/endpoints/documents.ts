import { jsonContentType } from '../http/response.ts';
import type { HttpResponse } from '../http/types.ts';
import { jwksMaxAgeSeconds } from '../keys/rotation/jwks-age.ts';
import { documentPaths, routes } from '../library/paths.ts';
import type { EndpointDependencies } from './dependencies.ts';
import type { PublicEndpoint } from './endpoint.ts';

/** A document is the same for all callers while the keys do not change: it is rendered once. */
const documentEndpoint = (document: object, headers: HttpResponse['headers']): PublicEndpoint => {
  const response = { status: 200, headers, body: JSON.stringify(document) };
  return () => response;
};

/** The provider's metadata (RFC 8414) and its public keys (RFC 7517). */
export const documentEndpoints = ({
  documents: { metadata, publicKeys },
}: EndpointDependencies): Readonly<Record<string, PublicEndpoint>> => {
  const metadataEndpoint = documentEndpoint(metadata, { 'Content-Type': jsonContentType });
  return {
    ...Object.fromEntries([...documentPaths].map((path) => [path, metadataEndpoint])),
    [routes.jwks]: documentEndpoint(publicKeys, {
      'Content-Type': 'application/jwk-set+json; charset=utf-8',
      // Public keys may be cached, but not longer than a new key waits before it signs.
      'Cache-Control': `public, max-age=${jwksMaxAgeSeconds}`,
    }),
  };
};
