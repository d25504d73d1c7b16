import { generateCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { ConsoleSecrets } from './secrets.ts';

export interface SealedCookieOptions {
  /** Without a prefix. It is also the purpose: a cookie of another name does not open. */
  readonly name: string;
  /** The URL of the console: a cookie of another console with the same secret does not open. */
  readonly url: URL;
  readonly secrets: Pick<ConsoleSecrets, 'cookieKey' | 'cookieKeys'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An encrypted cookie that scripts can't read. */
export const createSealedCookie = <Content extends object>({ name, url, secrets, now }: SealedCookieOptions) => {
  const isSecure = url.protocol === 'https:';
  // Another console may give its users other roles, and without directories the role is in the cookie.
  const audience = `${name} ${url.href}`;
  // With the prefix, browsers accept the cookie from this host only: another host of the domain cannot plant a session.
  const fullName = isSecure ? `__Host-${name}` : name;
  // Lax: the browser comes back from the sign-in by a link of another site, and must then have its cookies.
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure } as const;
  return {
    async seal(content: Content, seconds: number): Promise<string> {
      const value = await new EncryptJWT({ content })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(Math.floor(now() / 1000) + seconds)
        .encrypt(secrets.cookieKey);
      return generateCookie(fullName, value, { ...attributes, maxAge: seconds });
    },
    /** Undefined for a cookie that is absent, expired, changed, or sealed by another secret or for another purpose. */
    async open(request: Request): Promise<Content | undefined> {
      const { [fullName]: value } = parse(request.headers.get('cookie') ?? '', fullName);
      if (value === undefined) return undefined;
      for (const key of secrets.cookieKeys) {
        try {
          const options = { audience, currentDate: new Date(now()), contentEncryptionAlgorithms: ['A256GCM'] };
          // The type is that of `seal`: only the console has the key.
          return (await jwtDecrypt<{ readonly content: Content }>(value, key, options)).payload.content;
        } catch {
          // The next secret, if there is one.
        }
      }
      return undefined;
    },
    clear: (): string => generateCookie(fullName, '', { ...attributes, maxAge: 0 }),
  };
};
