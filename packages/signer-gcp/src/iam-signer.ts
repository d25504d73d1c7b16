import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import {
  algorithmOf,
  type CallOptions,
  type RemoteKey,
  type RemoteSigner,
  SignerUnavailableError,
} from '@carnet/signer-contract';
import { openCredentials } from './access-token.ts';
import { type GoogleApi, openGoogleApi } from './google-api.ts';

/** Reads the JWKS that Google publishes for a service account, by Google's id. It needs no credential. */
const readAccountKeys = async (
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

/** Signed with each list, to learn which key signs now. It is no JWS: it has no dots. */
const probe = Buffer.from('carnet');

/**
 * Signs with the keys of a service account, which Google creates, rotates and selects: `signBlob` names the key that signed.
 * `keys()` lists that key as the newest.
 */
export const openIamSigner = (email: string, endpoint?: URL): RemoteSigner => {
  const iam = openGoogleApi({
    origin: endpoint ?? new URL('https://iamcredentials.googleapis.com'),
    credentials: openCredentials(endpoint),
    advice: `Enable iamcredentials.googleapis.com, and give the service account of Carnet iam.serviceAccounts.signBlob (roles/iam.serviceAccountTokenCreator) on ${email}.`,
  });
  const publicKeys = openGoogleApi({
    origin: endpoint ?? new URL('https://www.googleapis.com'),
    advice: `Check that the service account ${email} exists.`,
  });
  /** In the order in which this process saw them. */
  const published = new Map<string, JsonWebKeyInput['key']>();

  const refresh = async (options: CallOptions): Promise<void> => {
    const found = await readAccountKeys(publicKeys, email, options);
    for (const kid of published.keys()) if (!found.has(kid)) published.delete(kid);
    for (const [kid, publicKey] of found) if (!published.has(kid)) published.set(kid, publicKey);
  };

  const signBlob = async (data: Uint8Array, options: CallOptions) => {
    const payload = Buffer.from(data).toString('base64');
    const answer = await iam.post(`/v1/projects/-/serviceAccounts/${email}:signBlob`, { payload }, options);
    const { keyId, signedBlob } = answer;
    if (typeof keyId !== 'string' || keyId === '' || typeof signedBlob !== 'string') {
      throw new SignerUnavailableError('IAM answered without a key id or a signature.');
    }
    // A new key: Google publishes it before it signs.
    if (!published.has(keyId)) await refresh(options);
    if (!published.has(keyId)) {
      throw new SignerUnavailableError(`IAM signed with the key ${keyId}, which Google does not publish yet.`);
    }
    return { signature: Buffer.from(signedBlob, 'base64'), kid: keyId };
  };

  const toRemoteKey = ([kid, publicKey]: [string, JsonWebKeyInput['key']]): RemoteKey => ({
    handle: `projects/-/serviceAccounts/${email}/keys/${kid}`,
    kid,
    alg: 'RS256',
    publicKey: { ...publicKey },
  });

  return {
    service: 'gcp-iam',
    async keys(options) {
      await refresh(options);
      const { kid: signing } = await signBlob(probe, options);
      const isSigning = ([kid]: [string, JsonWebKeyInput['key']]) => kid === signing;
      const entries = [...published];
      return [...entries.filter((entry) => !isSigning(entry)), ...entries.filter(isSigning)].map(toRemoteKey);
    },
    sign: (_key, data, options) => signBlob(data, options),
    async close() {
      await Promise.all([iam.close(), publicKeys.close()]);
    },
  };
};
