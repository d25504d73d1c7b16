import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { parseJson } from '@carnet/adapter-contract/kit';
import type { z } from 'zod';
import { cookieValues } from '../http/cookies.ts';

export interface CookieOptions<T> {
  /** Without the `__Host-` prefix, which https adds. */
  readonly name: string;
  /** The format of the value. A value of another format is treated as absent. */
  readonly schema: z.ZodType<T>;
  /** The age up to which the cookie is accepted, even if the browser keeps it longer. */
  readonly maxAgeSeconds: number;
  /** Default `Lax`. */
  readonly sameSite?: 'Lax' | 'Strict';
}

/** An encrypted, HttpOnly cookie with an expiry. */
export interface SealedCookie<T> {
  /** The value in the request; undefined if it is absent, expired, changed, or encrypted with another key. */
  read(request: Request): T | undefined;
  /** A Set-Cookie value. */
  set(value: T): string;
  /** The Set-Cookie value that removes the cookie. */
  clear(): string;
}

export interface SealedCookies {
  create<T>(options: CookieOptions<T>): SealedCookie<T>;
}

const ivBytes = 12;
const tagBytes = 16;
/** Browsers refuse cookies above 4,096 bytes with their name and attributes. */
const maximumLength = 3800;

/** The secret has at least 32 characters and is random, so that HKDF without a salt is enough (RFC 5869, section 3.1). */
const keyOf = (secret: string, issuer: URL): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `carnet consent-ui cookie ${issuer.href}`, 32));

interface SealedCookiesOptions {
  readonly secrets: readonly [string, ...string[]];
  readonly secure: boolean;
  readonly issuer: URL;
}

const seal = (key: Buffer, name: string, text: string): string => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(name));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
};

const open = (key: Buffer, name: string, sealed: Buffer): string | undefined => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-tagBytes));
    return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
};

/**
 * Cookies that only this UI can read and write.
 *
 * Safe because the value is authenticated together with the cookie's name (AES-256-GCM), so that the value of one cookie is
 * not accepted as another, and with its expiry. The first secret encrypts, and all secrets decrypt, so that a secret can be replaced.
 * The keys are derived for the issuer: the pages of another one with the same secret, and users with the same subjects, accept no
 * cookie of it.
 */
export const createSealedCookies = (
  { secrets, secure, issuer }: SealedCookiesOptions,
  now: () => number = Date.now,
): SealedCookies => {
  const keys = secrets.map((secret) => keyOf(secret, issuer));
  const create = <T>({ name, schema, maxAgeSeconds, sameSite = 'Lax' }: CookieOptions<T>): SealedCookie<T> => {
    const fullName = `${secure ? '__Host-' : ''}${name}`;
    const cookie = (value: string, seconds: number) =>
      `${fullName}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${secure ? '; Secure' : ''}`;
    return {
      read: (request) => {
        const [text, ...others] = cookieValues(request, fullName);
        if (text === undefined || others.length > 0 || text.length > maximumLength) return undefined;
        const sealed = Buffer.from(text, 'base64url');
        const opened = keys.map((key) => open(key, name, sealed)).find((each) => each !== undefined);
        const [expiresAt, value] = (parseJson(opened ?? '') ?? []) as [number?, unknown?];
        if (expiresAt === undefined || expiresAt <= now()) return undefined;
        const result = schema.safeParse(value);
        return result.success ? result.data : undefined;
      },
      set: (value) => {
        const [key = keyOf(secrets[0], issuer)] = keys;
        const text = seal(key, name, JSON.stringify([now() + maxAgeSeconds * 1000, value]));
        if (text.length > maximumLength) throw new Error(`the cookie ${name} has ${text.length} characters`);
        return cookie(text, maxAgeSeconds);
      },
      clear: () => cookie('', 0),
    };
  };
  return { create };
};
