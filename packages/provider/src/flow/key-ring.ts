import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { atMost } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';
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
/** The ids of flows and sessions are shorter. */
const maxCachedLength = 40;
const maxKeys = 1_000;

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

/** Caches the value for the last number. */
const whileSame = <T>(make: (number: number) => T): ((number: number) => T) => {
  let last: { readonly number: number; readonly value: T } | undefined;
  return (number) => {
    if (last?.number !== number) last = { number, value: make(number) };
    return last.value;
  };
};

/**
 * HMAC-SHA256, base64url. The last hashes are cached: each step of a flow needs the hash of its id twice.
 * Refresh tokens are longer than the cached texts, so that none stays in memory.
 */
const createDigest = (secret: Buffer): ((data: string) => string) => {
  const key = createSecretKey(secret);
  const digest = (data: string): string => createHmac('sha256', key).update(data).digest('base64url');
  const made = new LRUCache<string, string>({ ...atMost(500), memoMethod: digest });
  return (data) => (data.length <= maxCachedLength ? made.memo(data) : digest(data));
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

  const keys = new LRUCache<string, KeyObject>({
    ...atMost(maxKeys),
    memoMethod: (name) => {
      const [purpose = '', day = '', print = ''] = name.split('.');
      return createSecretKey(derive(byFingerprint.get(print) ?? '', issuer, 'seal', purpose, day));
    },
  });
  const digests = new LRUCache<string, (data: string) => string>({
    ...atMost(maxKeys),
    memoMethod: (name) => {
      const [purpose = '', print = ''] = name.split('.');
      return createDigest(derive(byFingerprint.get(print) ?? '', issuer, 'mac', purpose));
    },
  });
  const digest = (purpose: MacPurpose, print: string, data: string) => digests.memo(`${purpose}.${print}`)(data);

  return {
    /** The current encryption key and its key id. */
    sealing(purpose: Purpose) {
      const kid = sealingKid(epoch());
      return { kid, key: keys.memo(`${purpose}.${kid}`) };
    },
    /** The key with this `kid`. Undefined if it is unknown, too old, or more than a day in the future. */
    opening: (purpose: Purpose, kid: string): KeyObject | undefined =>
      openKids(epoch()).has(kid) ? keys.memo(`${purpose}.${kid}`) : undefined,
    /** HMAC-SHA256 of `data`, base64url (43 characters), with the named secret. Default: the first secret. */
    mac(purpose: MacPurpose, data: string, secretName = currentFingerprint): string {
      return digest(purpose, byFingerprint.has(secretName) ? secretName : currentFingerprint, data);
    },
    /** The names of the secrets, to derive values again after a rotation. `secretName` is that of the first one. */
    secretNames,
    secretName: currentFingerprint,
    /** Whether `mac` is valid under any of the secrets. Constant time. */
    verifyMac(purpose: MacPurpose, data: string, mac: string): boolean {
      // The comparison is of texts: each digest has exactly one base64url text.
      const given = Buffer.from(mac);
      if (given.length !== macLength) return false;
      return secretNames.some((print) => timingSafeEqual(Buffer.from(digest(purpose, print, data)), given));
    },
  };
};

export type KeyRing = ReturnType<typeof createKeyRing>;
