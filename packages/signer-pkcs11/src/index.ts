import { type OpenKeyWrapper, type OpenSigner, SignerUnfitError } from '@carnet/signer-contract';
import { createReadPin } from './pin.ts';
import { createPool, type Pool } from './pool.ts';
import { FailureError } from './thread/failure.ts';
import { loadModule, loadPkcs11js, type Module } from './thread/module.ts';
import { parseUrl } from './url.ts';

/** Each module stays loaded until the process ends: threads come and go, and the module must not be unloaded under them. */
const modules = new Map<string, Module>();

const assertLoadable = (path: string): void => {
  if (modules.has(path)) return;
  try {
    modules.set(path, loadModule(loadPkcs11js(), path));
  } catch (error) {
    throw error instanceof FailureError ? new SignerUnfitError(error.message) : error;
  }
};

/**
 * Opens the sessions of a URL. The module is loaded, but not called.
 *
 * @throws SignerUnfitError if the URL is not valid, or pkcs11js, the module or the PIN is missing
 */
const openPool = (url: string, type: 'private' | 'secret-key'): Pool => {
  const { modulePath, token, object, sessions, pinFile } = parseUrl(url, type);
  const readPin = createReadPin({ pinFile });
  readPin();
  assertLoadable(modulePath);
  return createPool({ settings: { modulePath, token, object }, sessions, readPin });
};

const warned = new Set<string>();

/** Each warning once in a process: keys are listed again and again. */
const warn = (warnings: readonly string[]): void => {
  for (const warning of warnings) {
    if (warned.has(warning)) continue;
    warned.add(warning);
    process.emitWarning(warning, { type: 'Pkcs11Warning' });
  }
};

/**
 * Opens a signer on the private keys of a token: `pkcs11:token=carnet;object=signing?module-path=/path/to/module.so`
 * (RFC 7512), with the PIN in the file of `pin-source=file:/path` or in PKCS11_PIN.
 *
 * @throws SignerUnfitError if the URL is not valid, or pkcs11js, the module or the PIN is missing
 */
export const openSigner: OpenSigner = async ({ url }) => {
  const pool = openPool(url, 'private');
  return {
    service: 'pkcs11',
    keys: async ({ signal }) => {
      const { keys, warnings } = await pool.run('keys', undefined, signal);
      warn(warnings);
      return keys;
    },
    sign: async ({ handle }, data, { signal }) => ({
      // A copy: a message has the whole buffer of which the data may be a part.
      signature: await pool.run('sign', { handle, data: Uint8Array.from(data) }, signal),
    }),
    close: () => pool.close(),
  };
};

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
