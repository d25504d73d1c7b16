import { invalidGrant, invalidRequest } from '../oauth-error.ts';
import type { Bound } from '../tokens/access-token.ts';
import type { TokenRequest } from './grant.ts';

const certificateOf = ({ client, keys }: TokenRequest, required: string | undefined): string | undefined => {
  if (!client.tlsClientCertificateBoundAccessTokens && required === undefined) return undefined;
  const thumbprint = keys.certificate();
  if (thumbprint === undefined || (required !== undefined && required !== thumbprint)) throw invalidGrant();
  return thumbprint;
};

/**
 * The binding of the tokens of a request: to the key of its DPoP proof, or to its client certificate.
 *
 * @param required the binding of the refresh token that is exchanged
 * @throws {OAuthError} `invalid_grant` if the client or the refresh token needs a key that the request does not prove
 */
export const bindingOf = (request: TokenRequest, required: Bound = {}): Bound => {
  const { client, keys } = request;
  const thumbprint = certificateOf(request, required['x5t#S256']);
  if (keys.jkt === undefined && client.dpopBoundAccessTokens) throw invalidGrant();
  if (required.jkt !== undefined && required.jkt !== keys.jkt) throw invalidGrant();
  if (keys.jkt !== undefined && thumbprint !== undefined)
    throw invalidRequest('multiple proof-of-possession mechanisms are not allowed');
  return keys.jkt === undefined ? { 'x5t#S256': thumbprint } : { jkt: keys.jkt };
};
