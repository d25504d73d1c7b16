import { SignerUnfitError } from '@carnet/signer-contract';
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
export const openPool = (url: string, type: 'private' | 'secret-key'): Pool => {
  const { modulePath, token, object, sessions, pinFile } = parseUrl(url, type);
  const readPin = createReadPin({ pinFile });
  readPin();
  assertLoadable(modulePath);
  return createPool({ settings: { modulePath, token, object }, sessions, readPin });
};
