import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

export type OtpAlgorithm = 'sha1' | 'sha256' | 'sha512';

/** Several authenticator apps ignore these parameters and use the defaults: SHA-1, 6 digits, 30 seconds. */
export interface OtpParameters {
  readonly algorithm: OtpAlgorithm;
  readonly digits: number;
  /** The length of a TOTP step. HOTP ignores it. */
  readonly periodSeconds: number;
}

export const defaultParameters: OtpParameters = { algorithm: 'sha1', digits: 6, periodSeconds: 30 };

/** The code of a counter (RFC 4226, section 5.3). TOTP (RFC 6238) is the code of a step. */
export const hotp = (
  secret: Uint8Array,
  counter: number,
  { algorithm, digits }: Pick<OtpParameters, 'algorithm' | 'digits'> = defaultParameters,
): string => {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  // A key object: with bytes as the key, Node.js 24 takes three times as long.
  const mac = createHmac(algorithm, createSecretKey(secret)).update(message).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
};

/** The number of the time step (RFC 6238, section 4.2). */
export const stepAt = (now: number, periodSeconds: number): number => Math.floor(now / 1_000 / periodSeconds);

/** The digits of a code as users type it: white space is ignored. Undefined if it cannot be a code. */
export const normaliseCode = (code: string, digits: number): string | undefined => {
  const typed = code.replaceAll(/\s/g, '');
  return typed.length === digits && /^[0-9]+$/.test(typed) ? typed : undefined;
};

export const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
