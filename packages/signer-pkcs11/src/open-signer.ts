import type { OpenSigner } from '@carnet/signer-contract';
import { openPool } from './open.ts';

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
