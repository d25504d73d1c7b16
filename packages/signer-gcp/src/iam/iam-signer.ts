import type { JsonWebKeyInput } from 'node:crypto';
import { type CallOptions, type RemoteKey, type RemoteSigner, SignerUnavailableError } from '@carnet/signer-contract';
import { openCredentials } from '../access-token.ts';
import { openGoogleApi } from '../google-api.ts';
import { readAccountKeys } from './account-keys.ts';

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
