import type { JWK } from 'jose';
import { CarnetError } from '../errors.ts';
import { OAuthError } from '../oauth-error.ts';
import type { EncryptionKeys } from '../tokens/client-jwt.ts';
import type { ProviderClients } from './clients.ts';

/** A client's public keys as oidc-provider keeps them: `jwks_uri` is fetched again when its answer has expired. */
interface KeyStore {
  refresh(): Promise<void>;
  selectForEncrypt(options: { readonly alg: string; readonly use: 'enc' }): readonly JWK[];
}

/** oidc-provider wraps the error of the fetch, which names the reason. */
const unwrap = (error: Error): Error => (error.cause instanceof CarnetError ? error.cause : error);

/**
 * The keys that JWTs are encrypted to, from oidc-provider's clients.
 *
 * `find` throws an {OAuthError} `invalid_client_metadata` if the client has no key for the algorithm, and a {CarnetError}
 * `client_keys_unavailable` if its `jwks_uri` cannot be fetched.
 */
export const createEncryptionKeys = (clients: Pick<ProviderClients, 'find'>): EncryptionKeys => ({
  async find({ id }, alg) {
    const client = (await clients.find(id)) as { readonly asymmetricKeyStore: KeyStore } | undefined;
    if (client === undefined) throw new CarnetError('server_error', 'the client of an encrypted JWT is unknown');
    const { asymmetricKeyStore: keys } = client;
    await keys.refresh().catch((error: Error) => {
      throw unwrap(error);
    });
    const [key] = keys.selectForEncrypt({ alg, use: 'enc' });
    if (key === undefined) throw new OAuthError('invalid_client_metadata', `no suitable encryption key found (${alg})`);
    return key;
  },
});
