import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import { algorithmOf, type CallOptions, SignerUnavailableError } from '@carnet/signer-contract';
import type { GoogleApi } from '../google-api.ts';

/** Reads the JWKS that Google publishes for a service account, by Google's id. It needs no credential. */
export const readAccountKeys = async (
  api: GoogleApi,
  email: string,
  options: CallOptions,
): Promise<ReadonlyMap<string, JsonWebKeyInput['key']>> => {
  const { keys } = await api.get(`/service_accounts/v1/jwk/${email}`, options);
  if (!Array.isArray(keys))
    throw new SignerUnavailableError('Google answered without the keys of the service account.');
  const found = new Map<string, JsonWebKeyInput['key']>();
  for (const jwk of keys as readonly (JsonWebKeyInput['key'] & { readonly kid?: unknown })[]) {
    if (typeof jwk.kid !== 'string' || jwk.kid === '') continue;
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    if (algorithmOf(key) === 'RS256') found.set(jwk.kid, key.export({ format: 'jwk' }));
  }
  return found;
};
