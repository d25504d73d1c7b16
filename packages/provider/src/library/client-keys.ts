import { isSignedByParty, type PartyKeys, type UnverifiedJws } from '@carnet/signer-contract/jws';
import type { JWK } from 'jose';
import { CarnetError } from '../errors.ts';
import { OAuthError } from '../oauth-error.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { EncryptionKeys } from '../tokens/client-jwt.ts';
import { failureIn } from './asked-context.ts';
import type { ProviderClients } from './clients.ts';

/** The reason is only logged: clients that register themselves learn nothing of our network. */
const noKeys = (cause?: unknown): CarnetError =>
  new CarnetError('client_keys_unavailable', "The client's keys could not be fetched from its jwks_uri.", { cause });

/**
 * `fetch` for oidc-provider, which fetches the keys of clients and nothing else. Its own time limit and dispatcher are left:
 * the outbound client has better ones. A failure decides the response, not the error that oidc-provider makes of it.
 */
export const createFetchKeys =
  (outbound: Pick<OutboundClient, 'send'>) =>
  async (url: string | URL): Promise<Response> => {
    const request = { url: String(url), headers: { accept: 'application/json' }, purpose: 'jwks_uri' } as const;
    const { status, headers, body } = await outbound.send(request).catch((cause: unknown) => {
      throw noKeys(cause);
    });
    if (status !== 200) throw noKeys();
    return new Response(body, { headers });
  };

/** A client's public keys as oidc-provider keeps them: `jwks_uri` is fetched again when its answer has expired. */
interface KeyStore extends PartyKeys {
  selectForEncrypt(options: { readonly alg: string; readonly use: 'enc' }): readonly JWK[];
}

const keysOf = (client: object): KeyStore => (client as { readonly asymmetricKeyStore: KeyStore }).asymmetricKeyStore;

/** @throws {CarnetError} `client_keys_unavailable` */
export const isSignedByClient = (jws: UnverifiedJws, client: object): Promise<boolean> =>
  isSignedByParty(jws, keysOf(client)).catch((error: unknown) => {
    const failure = failureIn(error);
    if (failure !== undefined) throw failure;
    return false;
  });

/**
 * The keys that JWTs are encrypted to, from oidc-provider's clients.
 *
 * `find` throws an {OAuthError} `invalid_client_metadata` if the client has no key for the algorithm, and a {CarnetError}
 * `client_keys_unavailable` if its `jwks_uri` cannot be fetched.
 */
export const createEncryptionKeys = (clients: Pick<ProviderClients, 'find'>): EncryptionKeys => ({
  async find({ id }, alg) {
    const client = await clients.find(id);
    if (client === undefined) throw new CarnetError('server_error', 'the client of an encrypted JWT is unknown');
    const keys = keysOf(client);
    await keys.refresh().catch((error: unknown) => {
      throw failureIn(error) ?? error;
    });
    const [key] = keys.selectForEncrypt({ alg, use: 'enc' });
    if (key === undefined) throw new OAuthError('invalid_client_metadata', `no suitable encryption key found (${alg})`);
    return key;
  },
});
