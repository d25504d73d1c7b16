import { z } from 'zod';
import { asymmetricAlgorithms, privateJwkMembers } from '../jwk.ts';
import { formatGoDuration, isZeroGoDuration, parseGoDuration } from '../text/go-duration.ts';
import { isForeignHash, maxRotatedSecrets, maxSecretBytes } from './secret-hash.ts';

/** The schemas of the fields of a client. */

// C0, DEL, C1 controls and lone surrogates.
const controlCharacters = /[\p{Cc}\p{Cs}]/u;
const whitespace = /\s/;

export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `must not be longer than ${maxLength} characters`)
    .refine((value) => !controlCharacters.test(value), 'must not contain control characters');

const without =
  (isUnset: (value: unknown) => boolean) =>
  <T extends z.ZodType>(schema: T) =>
    z.preprocess((value) => (isUnset(value) ? undefined : value), schema.optional());

/** `undefined` for what is absent or `null`. */
export const orUnset = without((value) => value === null);

/** `undefined` for what is absent, `null` or empty: Go's zero value of a string. */
export const unlessEmpty = without((value) => value === null || value === '');

/** `undefined` for a value that is absent, `null`, empty, or a duration of zero. */
export const unlessZero = without(
  (value) => value === null || value === '' || value === 0 || (typeof value === 'string' && isZeroGoDuration(value)),
);

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

export const list = (item: z.ZodType<string>, maxItems: number) =>
  z.array(item).max(maxItems, `must not have more than ${maxItems} items`);

const maxUriLength = 2048;

const uri = text(maxUriLength).refine(
  (value) => !whitespace.test(value) && URL.canParse(value),
  'must be an absolute URL',
);

const isWebUrl = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

/** An http(s) URL. Anything else could become a script where a login page links to it. */
export const webUrl = text(maxUriLength).refine(isWebUrl, 'must be an http or https URL');

/** OpenID Connect Core 1.0, section 4: `initiate_login_uri` MUST use https. */
export const httpsUrl = webUrl.refine((value) => /^https:/i.test(value), 'must be an https URL');

/** Schemes that run a script, read a local file or open another program. All other schemes may be those of native apps. */
const foreignSchemes =
  /^(?:javascript|vbscript|data|blob|about|file|filesystem|view-source|jar|feed|intent|mailto|ftp|wss?):/i;

/** Browsers read `https:app.test` as `https://app.test`, others do not: an address must be the same to all. */
const isHostless = (value: string): boolean => /^https?:(?!\/\/[^/\\?])/i.test(value);

/** Where a browser is sent with a code (RFC 6749 section 3.1.2). Schemes of native apps are allowed (RFC 8252). */
export const redirectUri = uri
  .refine((value) => !value.includes('#'), 'must not contain a fragment (#)')
  .refine(
    (value) => !foreignSchemes.test(value),
    'must not use a scheme of scripts, local files or inline data, such as javascript:, file: or data:',
  )
  .refine((value) => !isHostless(value), 'must name a host after http:// or https://');

/** An origin as a browser sends it: no path, query or user. Written without the trailing slash. */
export const origin = uri
  .refine((value) => {
    const url = URL.parse(value);
    return url !== null && isWebUrl(value) && url.origin === value.replace(/\/$/, '').toLowerCase();
  }, 'must be an origin such as https://app.example.com')
  .transform((value) => value.replace(/\/$/, '').toLowerCase());

/** A lifespan in Go's notation, answered as Go would write it. */
export const goDuration = z
  .string()
  .refine((value) => (parseGoDuration(value) ?? 0) >= 1, 'must be a duration of at least a second, such as "1h30m0s"')
  .transform((value) => formatGoDuration(Math.floor(parseGoDuration(value) as number)));

const isSmallJson = (value: unknown, maxLength: number): boolean => JSON.stringify(value).length <= maxLength;

/** Any JSON object, for the owner's own use. */
export const freeObject = (maxLength: number) =>
  z
    .record(z.string(), z.unknown())
    .refine((value) => isSmallJson(value, maxLength), `must not be larger than ${maxLength} characters of JSON`);

const publicKey = z
  .looseObject({ kty: z.string() })
  .refine((key) => key.kty !== 'oct', 'is a symmetric key; only public keys can be registered')
  .refine(
    (key) => privateJwkMembers.every((member) => key[member] === undefined),
    'is a private key; register the public one',
  );

const keySet = z
  .object({ keys: z.array(publicKey).max(32, 'must not have more than 32 keys') })
  .refine((value) => isSmallJson(value, 32_768), 'must not be larger than 32768 characters of JSON');

/** A set of public keys (RFC 7517 section 5); `{}` is "not given". */
export const publicKeys = without((value) => value === null || isEmptyObject(value))(keySet);

/** Scope tokens of RFC 6749 section 3.3 between blanks. */
export const scope = text(4096).regex(
  /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
  'must be scopes of printable ASCII without quotes',
);

export const signingAlgorithm = z.enum(asymmetricAlgorithms, 'must be an asymmetric algorithm such as ES256');

/** `none`: the client signs no request objects. Its unsigned ones are refused all the same. */
export const requestSigningAlgorithm = z.enum(
  ['none', ...asymmetricAlgorithms],
  'must be none or an asymmetric algorithm such as ES256',
);

/**
 * Key management by the recipient's public key: for `dir` and AES key wrap the client's secret would be needed, of
 * which only a hash is kept.
 */
export const encryptionAlgorithm = z.enum(
  [
    'RSA-OAEP',
    'RSA-OAEP-256',
    'RSA-OAEP-384',
    'RSA-OAEP-512',
    'ECDH-ES',
    'ECDH-ES+A128KW',
    'ECDH-ES+A192KW',
    'ECDH-ES+A256KW',
  ],
  'must be an asymmetric algorithm such as ECDH-ES',
);

/** Methods that send the secret, so that it can be compared with a hash; `client_secret_jwt` would need the secret itself. */
export const secretAuthMethods: readonly string[] = ['client_secret_basic', 'client_secret_post'];

/** The method that responses show for a client that has registered none (RFC 7591, section 2). */
export const defaultAuthMethod = 'client_secret_basic';

export const authMethod = z.enum(
  [
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'tls_client_auth',
    'self_signed_tls_client_auth',
    'none',
  ],
  'must be client_secret_basic, client_secret_post, private_key_jwt, tls_client_auth, self_signed_tls_client_auth or none. Other methods need the secret itself, and only its hash is stored',
);

/**
 * A secret that an administrator chose, of any characters except control characters. Clients form-encode it before they send
 * it in an Authorization header (RFC 6749, section 2.3.1).
 */
export const clientSecret = text(maxSecretBytes)
  .min(6, 'must be at least 6 characters long; leave it out to have a strong one generated')
  .refine(
    (value) => Buffer.byteLength(value) <= maxSecretBytes,
    `must not be longer than ${maxSecretBytes} bytes of UTF-8`,
  );

const secretHash = z
  .string()
  .refine(
    isForeignHash,
    'must be a bcrypt hash of a cost up to 15, or a PBKDF2 hash such as $pbkdf2-sha256$i=25000,l=32$...',
  );

/** Hashes from the database of another server, in place of the secret: that of the current secret, or a list that begins with it. */
export const secretHashes = z.union([
  secretHash,
  z
    .array(secretHash)
    .min(1)
    .max(maxRotatedSecrets + 1),
]);
