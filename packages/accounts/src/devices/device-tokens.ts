import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Vault } from '../second-factors/index.ts';

/** One user who has signed in with a browser. */
export interface KnownDevice {
  /** The id under which guesses are counted. It is new after each sign-in. */
  readonly id: string;
  /** Whether the browser belongs to the user with this subject. */
  isOf(subject: string | undefined): boolean;
}

/**
 * The tokens of browsers that have signed in before ("device cookies" of OWASP). Wrong passwords from such a browser have a
 * count of their own, so that an attacker who uses up the guesses of a user does not lock out the user.
 */
export interface DeviceTokens {
  /** The user of the browser with this login, or with this subject. Undefined if the token has none, or is not valid. */
  find(
    token: string | undefined,
    user: { readonly key: string } | { readonly subject: string },
  ): KnownDevice | undefined;
  /** The token after a sign-in, with the other users of the browser. This user gets a new id, whose count is zero. */
  add(token: string | undefined, user: { readonly key: string; readonly subject: string }): string;
}

/** The lifetime of a token: 180 days after the last sign-in of the user in the browser. */
export const deviceLifetimeSeconds = 180 * 86_400;

/** More users of one browser would not fit into a cookie. */
const maximumUsers = 5;

const entry = z.object({ id: z.string(), key: z.string(), subject: z.string(), expiresAt: z.number() });
type Entry = z.output<typeof entry>;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/**
 * Seals the tokens. Safe against use for another user, because a guess counts apart only if the user who was found is the
 * one in the token. Safe against use at another issuer, because the URL of the issuer is authenticated with the text.
 */
export const createDeviceTokens = ({
  vault,
  issuer,
  now,
}: {
  readonly vault: Vault;
  readonly issuer: string;
  readonly now: () => number;
}): DeviceTokens => {
  const place = `sign-in-device ${issuer}`;
  const entriesOf = (token: string): readonly Entry[] => {
    const json = vault.open(place, Buffer.from(token, 'base64url').toString('utf8'));
    const result = z.array(entry).safeParse(json === undefined ? undefined : JSON.parse(json));
    return result.success ? result.data.filter(({ expiresAt }) => expiresAt > now()) : [];
  };
  return {
    find: (token, user) => {
      if (token === undefined) return undefined;
      const wanted = 'key' in user ? digest(user.key) : digest(user.subject);
      const found = entriesOf(token).find(({ key, subject }) => ('key' in user ? key : subject) === wanted);
      return found && { id: found.id, isOf: (subject) => subject !== undefined && digest(subject) === found.subject };
    },
    add: (token, user) => {
      const [key, subject] = [digest(user.key), digest(user.subject)];
      const others = (token === undefined ? [] : entriesOf(token)).filter((each) => each.key !== key);
      const expiresAt = now() + deviceLifetimeSeconds * 1_000;
      const id = randomBytes(12).toString('base64url');
      // One id for all login names of a user: a browser has ten guesses for each user.
      const renewed = others.map((each) => (each.subject === subject ? { ...each, id } : each));
      const entries = [{ id, key, subject, expiresAt }, ...renewed];
      const sealed = vault.seal(place, JSON.stringify(entries.slice(0, maximumUsers)));
      return Buffer.from(sealed).toString('base64url');
    },
  };
};
