import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ConfigError } from '../errors.ts';
import type { MacPurpose, Purpose } from './purposes.ts';

/** One key per day and purpose. At 49,000 tokens a second a key sees fewer than 2^32 nonces (NIST SP 800-38D, 8.3). */
const epochSeconds = 86_400;
/**
 * The number of past days whose keys still decrypt. An expired token is still decrypted, to tell where to start again.
 */
const openEpochs = 31;
/** 32 bytes as base64url. */
const macLength = 43;

interface KeyRingOptions {
  /** Part of every key derivation: another issuer with the same secret cannot decrypt the tokens of this one. */
  readonly issuer: string;
  /** The first encrypts, all decrypt. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const derive = (secret: string, issuer: string, ...info: readonly (string | number)[]): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'carnet', JSON.stringify(['v1', issuer, ...info]), 32));

/** A name that reveals nothing about the secret: 24 bits of a key derived for this purpose only. */
const fingerprint = (secret: string, issuer: string): string =>
  derive(secret, issuer, 'kid').subarray(0, 3).toString('base64url');

const lazily = <T>(make: (name: string) => T): ((name: string) => T) => {
  const made = new Map<string, T>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make(name);
    made.set(name, value);
    return value;
  };
};

/** Caches the value for the last number. */
const whileSame = <T>(make: (number: number) => T): ((number: number) => T) => {
  let last: { readonly number: number; readonly value: T } | undefined;
  return (number) => {
    if (last?.number !== number) last = { number, value: make(number) };
    return last.value;
  };
};

/** Keys by HKDF (RFC 5869) from the system secrets, separated by issuer, purpose and day. */
export const createKeyRing = ({ issuer, secrets, now = Date.now }: KeyRingOptions) => {
  const byFingerprint = new Map(secrets.map((secret) => [fingerprint(secret, issuer), secret]));
  const secretNames = [...byFingerprint.keys()];
  const [currentFingerprint] = secretNames;
  if (currentFingerprint === undefined || byFingerprint.size !== secrets.length) {
    throw new ConfigError(['secrets.system: needs at least one secret, and each only once. Remove the repeated one.']);
  }
  const epoch = () => Math.floor(now() / 1000 / epochSeconds);
  const kidOf = (day: number, print: string) => `${day.toString(36)}.${print}`;
  const sealingKid = whileSame((today) => kidOf(today, currentFingerprint));
  /** The accepted key ids, including the next day's for clocks that differ. Each day has exactly one spelling. */
  const openKids = whileSame((today) => {
    const days = Array.from({ length: openEpochs + 2 }, (_, age) => today + 1 - age);
    return new Set(days.flatMap((day) => secretNames.map((print) => kidOf(day, print))));
  });

  // Bounded: the names have only the current and the accepted key ids.
  const keys = lazily((name) => {
    const [purpose = '', day = '', print = ''] = name.split('.');
    return createSecretKey(derive(byFingerprint.get(print) ?? '', issuer, 'seal', purpose, day));
  });
  const macKeys = lazily((purpose) => secrets.map((secret) => createSecretKey(derive(secret, issuer, 'mac', purpose))));
  const digest = (key: KeyObject, data: string) => createHmac('sha256', key).update(data).digest('base64url');

  return {
    /** The current encryption key and its key id. */
    sealing(purpose: Purpose) {
      const kid = sealingKid(epoch());
      return { kid, key: keys(`${purpose}.${kid}`) };
    },
    /** The key with this `kid`. Undefined if it is unknown, too old, or more than a day in the future. */
    opening: (purpose: Purpose, kid: string): KeyObject | undefined =>
      openKids(epoch()).has(kid) ? keys(`${purpose}.${kid}`) : undefined,
    /** HMAC-SHA256 of `data`, base64url (43 characters), with the named secret. Default: the first secret. */
    mac(purpose: MacPurpose, data: string, secretName = currentFingerprint): string {
      const index = Math.max(0, secretNames.indexOf(secretName));
      return digest(macKeys(purpose)[index] as KeyObject, data);
    },
    /** The names of the secrets, to derive values again after a rotation. `secretName` is that of the first one. */
    secretNames,
    secretName: currentFingerprint,
    /** Whether `mac` is valid under any of the secrets. Constant time. */
    verifyMac(purpose: MacPurpose, data: string, mac: string): boolean {
      // The comparison is of texts: each digest has exactly one base64url text.
      const given = Buffer.from(mac);
      if (given.length !== macLength) return false;
      return macKeys(purpose).some((key) => timingSafeEqual(Buffer.from(digest(key, data)), given));
    },
  };
};

export type KeyRing = ReturnType<typeof createKeyRing>;
