import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { FactorStore, Vault } from '../second-factors/index.ts';
import type { LinkStore } from '../store/link-store.ts';

export interface LinksOptions {
  /** Encrypts the contents. */
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Keeps the contents. */
  readonly contents: LinkStore;
  /** Makes each link usable once. */
  readonly store: Pick<FactorStore, 'claim'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** The lifetime of invitations. */
  readonly invitationSeconds: number;
}

/** A sign-up that is not confirmed yet. */
const signUpSchema = z.object({
  email: z.string(),
  /** Absent for a user who signs in by email. */
  passwordHash: z.string().optional(),
  /** The SHA-256 digest of the proof that the browser has which sent the form. Absent in links of earlier versions. */
  proofHash: z.string().optional(),
  name: z.string().optional(),
  language: z.string().optional(),
  returnTo: z.string().optional(),
});

/** Permission to set a new password, as long as the old one has this version. */
const recoverySchema = z.object({
  subject: z.string(),
  userId: z.string(),
  passwordVersion: z.int(),
  /** The address that got the link: it is void once the user has another one. Absent in links of earlier versions. */
  email: z.string().optional(),
  language: z.string().optional(),
  returnTo: z.string().optional(),
});

/** A new email address that is not confirmed yet. */
const emailSchema = z.object({
  userId: z.string(),
  passwordVersion: z.int(),
  /** The address that the user had at the request, normalised; undefined for a user without one. */
  from: z.string().optional(),
  /** Normalised. */
  to: z.string(),
  /** The SHA-256 digest of the proof that the browser has which sent the form. */
  proofHash: z.string(),
  language: z.string().optional(),
});

/** Permission to choose the first password. */
const invitationSchema = z.object({
  userId: z.string(),
  /** The address that got the link: it is void once the user has another one. */
  email: z.string(),
});

export type EmailLink = Readonly<z.output<typeof emailSchema>>;

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

/** Links of one kind. */
export interface LinkKind<Content> {
  readonly validSeconds: number;
  /** Stores the content. Returns the token for the URL, of 22 characters: email programs break or hide long links. */
  create(content: Content): Promise<string>;
  /** Undefined if the token is not known, is of another kind, or has expired. Opening does not take the link. */
  open(token: string): Promise<Opened<Content> | undefined>;
}

export interface Links {
  readonly signUp: LinkKind<z.output<typeof signUpSchema>>;
  readonly recovery: LinkKind<z.output<typeof recoverySchema>>;
  readonly email: LinkKind<EmailLink>;
  readonly invitation: LinkKind<z.output<typeof invitationSchema>>;
}

/** Links of earlier versions have their sealed content as token. They are valid for up to a day. */
const longestToken = 8192;

/** 128 random bits. */
const isRandom = (token: string): boolean => /^[\w-]{22}$/.test(token);

interface KindOptions<Content> {
  readonly validSeconds: number;
  readonly schema: z.ZodType<Content>;
  /** The user with whom a link is deleted. */
  readonly userIdOf?: (content: Content) => string;
  /** Whether a new link makes the earlier ones of the user void. */
  readonly isOnlyOne?: boolean;
}

const createKind = <Content>(
  place: string,
  { vault, contents, store, now = Date.now }: LinksOptions,
  { validSeconds, schema, userIdOf, isOnlyOne = false }: KindOptions<Content>,
): LinkKind<Content> => {
  const sealedSchema = z.object({ id: z.string(), expiresAt: z.number(), content: schema });
  // The place binds a link to its kind, and a content to its row: a sign-up link cannot be used to set a password. The
  // database has the hash of the token only: a copy of it opens no link.
  const idOf = (token: string): string => `${place}:${createHash('sha256').update(token).digest('base64url')}`;
  const read = async (token: string): Promise<string | undefined> => {
    if (token.length > longestToken || !/^[\w-]+$/.test(token)) return undefined;
    // Links of earlier versions contain their sealed content.
    if (!isRandom(token)) return vault.open(place, Buffer.from(token, 'base64url').toString('utf8'));
    const id = idOf(token);
    const sealed = await contents.find(id);
    return sealed === undefined ? undefined : vault.open(id, sealed);
  };
  return {
    validSeconds,
    async create(content) {
      const token = randomBytes(16).toString('base64url');
      const id = idOf(token);
      const expiresAt = now() + validSeconds * 1_000;
      const text = JSON.stringify({ id: randomBytes(16).toString('base64url'), expiresAt, content });
      const userId = userIdOf?.(content);
      if (isOnlyOne && userId !== undefined) await contents.removeOf(userId, `${place}:`);
      await contents.put({ id, content: vault.seal(id, text), expiresAt, userId });
      return token;
    },
    async open(token) {
      const text = await read(token);
      if (text === undefined) return undefined;
      const { id, expiresAt, content } = sealedSchema.parse(JSON.parse(text));
      if (expiresAt <= now()) return undefined;
      return { content, take: () => store.claim(`${place}:${id}`, expiresAt) };
    },
  };
};

/** One-time links in emails. An unconfirmed sign-up creates no user, only a link until it expires. */
export const createLinks = (options: LinksOptions): Links => ({
  signUp: createKind('link:sign-up', options, {
    validSeconds: 24 * 3600,
    schema: signUpSchema,
  }),
  recovery: createKind('link:recovery', options, {
    validSeconds: 30 * 60,
    schema: recoverySchema,
    userIdOf: ({ userId }) => userId,
  }),
  email: createKind('link:email', options, {
    validSeconds: 3600,
    schema: emailSchema,
    userIdOf: ({ userId }) => userId,
  }),
  invitation: createKind('link:invitation', options, {
    validSeconds: options.invitationSeconds,
    schema: invitationSchema,
    userIdOf: ({ userId }) => userId,
    isOnlyOne: true,
  }),
});
