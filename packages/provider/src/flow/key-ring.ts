import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ConfigError } from '../errors.ts';
import type { MacPurpose, Purpose } from './purposes.ts';

/** One key a day and purpose: at 49,000 seals a second it would still see fewer than 2^32 nonces (NIST SP 800-38D, 8.3). */
const epochSeconds = 86_400;
/** How many past days still open. What is older than its own `exp` opens as expired: it can say where to start again. */
const openEpochs = 31;
/** 32 bytes as base64url. */
const macLength = 43;

export interface KeyRing {
  /** The key that seals now, and the name that finds it again. */
  sealing(purpose: Purpose): { readonly kid: string; readonly key: KeyObject };
  /** The key a `kid` names, or nothing when it is none of ours, too old, or from the future. */
  opening(purpose: Purpose, kid: string): KeyObject | undefined;
  /** HMAC-SHA256 of `data`, base64url (43 characters), with the secret of that name, or the first. */
  mac(purpose: MacPurpose, data: string, secretName?: string): string;
  /** Names the first secret, for what has to be derived again later, secrets having changed places. */
  readonly secretName: string;
  /** Whether any secret, old ones too, made this `mac`. Constant time. */
  verifyMac(purpose: MacPurpose, data: string, mac: string): boolean;
}

export interface KeyRingOptions {
  /** Part of every key: another issuer with the same secret opens nothing of ours. */
  readonly issuer: string;
  /** The first seals, all open. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const derive = (secret: string, issuer: string, ...info: readonly (string | number)[]): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'carnet', JSON.stringify(['v1', issuer, ...info]), 32));

/** Names a secret without telling of it: 24 bits of a key derived for nothing else. */
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

/** What is made of a number, made again when the number is another. */
const whileSame = <T>(make: (number: number) => T): ((number: number) => T) => {
  let last: { readonly number: number; readonly value: T } | undefined;
  return (number) => {
    if (last?.number !== number) last = { number, value: make(number) };
    return last.value;
  };
};

/** Keys by HKDF (RFC 5869) from the system secrets, separated by issuer, purpose and day. */
export const createKeyRing = ({ issuer, secrets, now = Date.now }: KeyRingOptions): KeyRing => {
  const byFingerprint = new Map(secrets.map((secret) => [fingerprint(secret, issuer), secret]));
  const [current] = secrets;
  if (current === undefined || byFingerprint.size !== secrets.length) {
    throw new ConfigError(['secrets.system: needs at least one secret, and each only once. Remove the repeated one.']);
  }
  const currentFingerprint = fingerprint(current, issuer);
  const secretNames = [...byFingerprint.keys()];
  const epoch = () => Math.floor(now() / 1000 / epochSeconds);
  const kidOf = (day: number, print: string) => `${day.toString(36)}.${print}`;
  const sealingKid = whileSame((today) => kidOf(today, currentFingerprint));
  /** All that may be opened, a day ahead for a clock that is slow. A day has one spelling: its kid's. */
  const openKids = whileSame((today) => {
    const days = Array.from({ length: openEpochs + 2 }, (_, age) => today + 1 - age);
    return new Set(days.flatMap((day) => secretNames.map((print) => kidOf(day, print))));
  });

  // Bounded: only of kids that are sealed with or may be opened.
  const keys = lazily((name) => {
    const [purpose = '', day = '', print = ''] = name.split('.');
    return createSecretKey(derive(byFingerprint.get(print) ?? '', issuer, 'seal', purpose, day));
  });
  const macKeys = lazily((purpose) => secrets.map((secret) => createSecretKey(derive(secret, issuer, 'mac', purpose))));
  const digest = (key: KeyObject, data: string) => createHmac('sha256', key).update(data).digest('base64url');

  return {
    sealing(purpose) {
      const kid = sealingKid(epoch());
      return { kid, key: keys(`${purpose}.${kid}`) };
    },
    opening: (purpose, kid) => (openKids(epoch()).has(kid) ? keys(`${purpose}.${kid}`) : undefined),
    mac(purpose, data, secretName = currentFingerprint) {
      const index = Math.max(0, secretNames.indexOf(secretName));
      return digest(macKeys(purpose)[index] as KeyObject, data);
    },
    secretName: currentFingerprint,
    verifyMac(purpose, data, mac) {
      // Compared as text, of which each hash has one.
      const given = Buffer.from(mac);
      if (given.length !== macLength) return false;
      return macKeys(purpose).some((key) => timingSafeEqual(Buffer.from(digest(key, data)), given));
    },
  };
};
