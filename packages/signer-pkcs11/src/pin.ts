import { readFileSync } from 'node:fs';
import { SignerUnfitError } from '@carnet/signer-contract';
import type { Pkcs11Url } from './url.ts';

/** Reads the PIN at each login, so that a new one needs no restart. */
export type ReadPin = () => string;

/**
 * The PIN of the file that `pin-source` names, without the end of its line; otherwise of the variable PKCS11_PIN.
 *
 * @throws SignerUnfitError if there is none
 */
export const createReadPin =
  ({ pinFile }: Pick<Pkcs11Url, 'pinFile'>): ReadPin =>
  () => {
    const pin = pinFile === undefined ? process.env.PKCS11_PIN : readPinFile(pinFile);
    if (pin) return pin;
    throw new SignerUnfitError(
      pinFile === undefined
        ? 'there is no PIN: name its file in the URL, pin-source=file:/path, or set PKCS11_PIN'
        : `the file of the PIN, ${pinFile}, is empty`,
    );
  };

const readPinFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new SignerUnfitError(`the file of the PIN, ${path}, cannot be read: ${code}`);
  }
};

const refused = new Map<string, string>();

/**
 * Remembers the PINs that a token refused, for all signers of the process. A token locks itself after a few wrong PINs: Carnet
 * sends a PIN that was refused once never again.
 */
export const refusedPins = {
  assertNotRefused: (token: string, pin: string): void => {
    if (refused.get(token) === pin)
      throw new SignerUnfitError(
        'the token refused this PIN, and Carnet does not send it again, so that the token does not lock: correct the PIN',
      );
  },
  add: (token: string, pin: string): void => {
    refused.set(token, pin);
  },
};
