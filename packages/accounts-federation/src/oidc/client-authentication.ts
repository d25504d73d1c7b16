import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { OidcProviderOptions } from '@carnet/accounts';
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None, PrivateKeyJwt } from 'openid-client';
import type { Preset } from '../presets/preset.ts';
import { signedSecret } from './signed-secret.ts';

const parametersOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) => {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1')
    return { name: 'ECDSA', namedCurve: 'P-256' };
  if (asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  throw new TypeError('privateKey must be an RSA key, or a key on P-256 or Ed25519.');
};

const importKey = (pem: string) => {
  const parse = (): KeyObject => {
    try {
      return createPrivateKey(pem);
    } catch {
      // Without the cause: it may repeat parts of the key.
      throw new TypeError('privateKey must be a private key in PEM (PKCS #8).');
    }
  };
  const key = parse();
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), parametersOf(key), false, ['sign']);
};

/**
 * How Carnet authenticates itself at the token endpoint. With a secret: `client_secret_basic`, the default of OpenID Connect
 * Core (section 9), unless the configuration has another method, or the provider lists only `client_secret_post`.
 *
 * @throws TypeError if the key cannot be used
 */
export const clientAuthenticationOf = async (
  { clientSecret, clientSecretMethod, clientId, privateKey, keyId, teamId }: OidcProviderOptions,
  { secretAudience: audience }: Pick<Preset, 'secretAudience'>,
  now: () => number,
): Promise<ClientAuth> => {
  if (privateKey !== undefined) {
    const key = await importKey(privateKey);
    if (audience === undefined) return PrivateKeyJwt({ key, ...(keyId !== undefined && { kid: keyId }) });
    if (key.algorithm.name !== 'ECDSA') throw new TypeError('privateKey must be a key on P-256.');
    if (keyId === undefined || teamId === undefined) throw new TypeError('keyId and teamId are missing.');
    return signedSecret({ key, keyId, teamId, clientId, audience, now });
  }
  if (clientSecret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isListed = methods === undefined || methods.includes('client_secret_basic');
    const chosen = clientSecretMethod ?? (isListed ? 'client_secret_basic' : 'client_secret_post');
    return (chosen === 'client_secret_basic' ? basic : post)(server, ...rest);
  };
};
