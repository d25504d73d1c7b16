import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type GoogleOptions, type GoogleStandIn, startGoogleStandIn } from './google-stand-in.ts';
import { bytesOf, fieldsOf, GoogleRefusal } from './google-status.ts';

export interface IamCredentials extends GoogleStandIn {
  /** Creates a service account. */
  addAccount(email: string): void;
  /** Creates a key that signs from now on. Returns its id. The JWKS has it unless `isPublished` is false. */
  rotate(email: string, options?: { readonly isPublished?: boolean }): string;
  /** Publishes each key. */
  publish(email: string): void;
}

interface AccountKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  isPublished: boolean;
}

const createKey = (isPublished: boolean): AccountKey => ({
  kid: randomBytes(20).toString('hex'),
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  isPublished,
});

/** The JWKS, newest key first: the order is not documented. */
const jwksOf = (keys: readonly AccountKey[]) => ({
  keys: keys
    .filter(({ isPublished }) => isPublished)
    .map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }))
    .reverse(),
});

const signRoute = /^POST \/v1\/projects\/-\/serviceAccounts\/([^/:]+):signBlob$/;
const jwksRoute = /^GET \/service_accounts\/v1\/jwk\/([^/]+)$/;

/** Starts a stand-in of IAM Credentials (`signBlob`) and of the public keys of service accounts, with real keys. */
export const startIamCredentials = async (options: GoogleOptions = {}): Promise<IamCredentials> => {
  const accounts = new Map<string, AccountKey[]>();
  const keysOf = (email: string | undefined): AccountKey[] => {
    const keys = accounts.get(email ?? '');
    if (keys === undefined) throw new GoogleRefusal('NOT_FOUND', 'Requested entity was not found.');
    return keys;
  };

  const standIn = await startGoogleStandIn((request, assertAuthorized) => {
    const target = `${request.method} ${request.path}`;
    const published = jwksRoute.exec(target);
    if (published !== null) return jwksOf(keysOf(published[1]));
    const signing = signRoute.exec(target);
    if (signing === null) throw new GoogleRefusal('NOT_FOUND', 'The requested URL was not found on this server.');
    assertAuthorized();
    const { kid, privateKey } = keysOf(signing[1]).at(-1) as AccountKey;
    const payload = bytesOf(fieldsOf(request.body, ['payload', 'delegates']), 'payload');
    return { keyId: kid, signedBlob: sign('sha256', payload, privateKey).toString('base64') };
  }, options);
  return {
    ...standIn,
    addAccount(email) {
      accounts.set(email, [createKey(true)]);
    },
    rotate(email, { isPublished = true } = {}) {
      const key = createKey(isPublished);
      keysOf(email).push(key);
      return key.kid;
    },
    publish(email) {
      for (const key of keysOf(email)) key.isPublished = true;
    },
  };
};
