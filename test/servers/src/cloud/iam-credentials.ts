import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { answering, bytesOf, fieldsOf, GoogleRefusal } from './google-status.ts';
import { createGoogleTokens, type GoogleTokens } from './google-tokens.ts';
import { type StandIn, type StandInOptions, type StandInRequest, startStandIn } from './stand-in.ts';

export interface IamCredentialsOptions extends StandInOptions {
  /** Whether `signBlob` without an access token is refused. Default: false, as an emulator. */
  readonly isTokenDemanded?: boolean;
}

export interface IamCredentials extends StandIn {
  readonly tokens: Pick<GoogleTokens, 'revokeAll' | 'setPermitted'> & { readonly credentials: string };
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
export const startIamCredentials = async (options: IamCredentialsOptions = {}): Promise<IamCredentials> => {
  const accounts = new Map<string, AccountKey[]>();
  const tokens = createGoogleTokens(options.isTokenDemanded ?? false);
  const keysOf = (email: string | undefined): AccountKey[] => {
    const keys = accounts.get(email ?? '');
    if (keys === undefined) throw new GoogleRefusal('NOT_FOUND', 'Requested entity was not found.');
    return keys;
  };

  const answer = (request: StandInRequest): unknown => {
    const target = `${request.method} ${request.path}`;
    const published = jwksRoute.exec(target);
    if (published !== null) return jwksOf(keysOf(published[1]));
    const signing = signRoute.exec(target);
    if (signing === null) throw new GoogleRefusal('NOT_FOUND', 'The requested URL was not found on this server.');
    tokens.assertAuthorized(request);
    const { kid, privateKey } = keysOf(signing[1]).at(-1) as AccountKey;
    const payload = bytesOf(fieldsOf(request.body, ['payload', 'delegates']), 'payload');
    return { keyId: kid, signedBlob: sign('sha256', payload, privateKey).toString('base64') };
  };

  const standIn = await startStandIn(
    (request) => tokens.exchange(request) ?? answering(() => answer(request)),
    options,
  );
  return {
    ...standIn,
    tokens: { ...tokens, credentials: tokens.writeCredentials(standIn.url) },
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
