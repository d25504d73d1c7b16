import type { OpenKeyWrapper } from '@carnet/signer-contract';
import { openPool } from './open.ts';

/**
 * Opens a key wrapper on an AES key of a token: `pkcs11:token=carnet;object=sealing?module-path=/path/to/module.so`. Of several
 * keys that match, the newest one wraps, and each one unwraps.
 *
 * @throws SignerUnfitError if the URL is not valid, or pkcs11js, the module or the PIN is missing
 */
export const openKeyWrapper: OpenKeyWrapper = async ({ url }) => {
  const pool = openPool(url, 'secret-key');
  return {
    // Copies: a message has the whole buffer of which the bytes may be a part.
    wrap: (secret, { signal }) => pool.run('wrap', { secret: Uint8Array.from(secret) }, signal),
    unwrap: (wrapped, { signal }) => pool.run('unwrap', { wrapped: Uint8Array.from(wrapped) }, signal),
    close: () => pool.close(),
  };
};
