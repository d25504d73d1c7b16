import type { JWK } from 'jose';
import { errors } from 'oidc-provider';
import { CarnetError } from '../errors.ts';
import type { EncryptionKeys } from '../tokens/encrypt-jwt.ts';
import type { ProviderClients } from './clients.ts';

/** A client's public keys as oidc-provider keeps them: `jwks_uri` is fetched again when its answer has expired. */
interface KeyStore {
  refresh(): Promise<void>;
  selectForEncrypt(options: { readonly alg: string; readonly use: 'enc' }): readonly JWK[];
}

/** The keys that JWTs are encrypted to, from oidc-provider's clients. */
export const createEncryptionKeys = (clients: Pick<ProviderClients, 'find'>): EncryptionKeys => ({
  async find({ id }, alg) {
    const client = (await clients.find(id)) as { readonly asymmetricKeyStore: KeyStore } | undefined;
    if (client === undefined) throw new CarnetError('server_error', 'the client of an encrypted JWT is unknown');
    const { asymmetricKeyStore: keys } = client;
    await keys.refresh();
    const [key] = keys.selectForEncrypt({ alg, use: 'enc' });
    if (key === undefined) throw new errors.InvalidClientMetadata(`no suitable encryption key found (${alg})`);
    return key;
  },
});
