import { z } from 'zod';
import { text } from './client-fields.ts';
import { isForeignHash, maxRotatedSecrets, maxSecretBytes } from './secret-hash.ts';

/** The fields by which a client authenticates. */

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
