import { randomBytes } from 'node:crypto';
import type { FactorStore, Vault } from '@carnet/second-factors';
import { z } from 'zod';

export interface LinksOptions {
  /** Encrypts the links. */
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Makes each link usable once. */
  readonly store: Pick<FactorStore, 'claim'>;
  /** Default: 24 hours. */
  readonly signUpSeconds?: number;
  /** Default: 30 minutes. */
  readonly recoverySeconds?: number;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A sign-up that is not confirmed yet. Only the link contains it. */
export interface SignUpLink {
  readonly email: string;
  readonly passwordHash: string;
  /** The SHA-256 digest of the proof that the browser has which sent the form. Absent in links of earlier versions. */
  readonly proofHash?: string | undefined;
  readonly name?: string | undefined;
  readonly language?: string | undefined;
  readonly returnTo?: string | undefined;
}

/** Permission to set a new password, as long as the old one has this version. */
export interface RecoveryLink {
  readonly subject: string;
  readonly userId: string;
  readonly passwordVersion: number;
  readonly language?: string | undefined;
  readonly returnTo?: string | undefined;
}

/** An open link. */
export interface Opened<Content> {
  readonly content: Content;
  /**
   * Takes the link. Call it after every other check, such as the rules for passwords, so that a mistake does not cost the
   * user the link.
   *
   * @returns false if it was taken before
   */
  take(): Promise<boolean>;
}

/** Sealed links of one kind. */
export interface LinkKind<Content> {
  readonly validSeconds: number;
  /** The token for the URL. */
  seal(content: Content): string;
  /** Undefined if the token was changed, is of another kind, or has expired. Opening does not take the link. */
  open(token: string): Opened<Content> | undefined;
}

export interface Links {
  readonly signUp: LinkKind<SignUpLink>;
  readonly recovery: LinkKind<RecoveryLink>;
}

const longestToken = 8192;

const signUpSchema = z.object({
  email: z.string(),
  passwordHash: z.string(),
  proofHash: z.string().optional(),
  name: z.string().optional(),
  language: z.string().optional(),
  returnTo: z.string().optional(),
});

const recoverySchema = z.object({
  subject: z.string(),
  userId: z.string(),
  passwordVersion: z.int(),
  language: z.string().optional(),
  returnTo: z.string().optional(),
});

const createKind = <Content>(
  place: string,
  { vault, store, now = Date.now }: LinksOptions,
  { validSeconds, schema }: { readonly validSeconds: number; readonly schema: z.ZodType<Content> },
): LinkKind<Content> => {
  const sealedSchema = z.object({ id: z.string(), expiresAt: z.number(), content: schema });
  return {
    validSeconds,
    seal(content) {
      const id = randomBytes(16).toString('base64url');
      const text = JSON.stringify({ id, expiresAt: now() + validSeconds * 1_000, content });
      return Buffer.from(vault.seal(place, text)).toString('base64url');
    },
    open(token) {
      if (token.length > longestToken || !/^[\w-]+$/.test(token)) return undefined;
      // The place binds a link to its kind: a sign-up link cannot be used to set a password.
      const text = vault.open(place, Buffer.from(token, 'base64url').toString('utf8'));
      if (text === undefined) return undefined;
      const { id, expiresAt, content } = sealedSchema.parse(JSON.parse(text));
      if (expiresAt <= now()) return undefined;
      return { content, take: () => store.claim(`${place}:${id}`, expiresAt) };
    },
  };
};

/** One-time links in emails. An unconfirmed sign-up leaves no row in the database. */
export const createLinks = (options: LinksOptions): Links => ({
  signUp: createKind('link:sign-up', options, {
    validSeconds: options.signUpSeconds ?? 24 * 3600,
    schema: signUpSchema,
  }),
  recovery: createKind('link:recovery', options, {
    validSeconds: options.recoverySeconds ?? 30 * 60,
    schema: recoverySchema,
  }),
});
