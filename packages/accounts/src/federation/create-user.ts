import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AccountsEvent } from '../dependencies.ts';
import { addressOf } from '../links/address-of.ts';
import type { Vault, VerifiedFactor } from '../second-factors/index.ts';
import { createSealedCodec } from '../sign-in/sealed.ts';
import type { Users } from '../store/index.ts';
import { proofLifetimeMs } from '../store/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import type { UpstreamUser } from './port.ts';

/** A user at a provider who has no user here. */
export interface Newcomer {
  readonly provider: string;
  readonly upstreamSubject: string;
  readonly shown: string | undefined;
  /** The address, if the provider calls it verified, and no other provider gives out the addresses of its domain. */
  readonly email: string | undefined;
  readonly claims: UpstreamUser['claims'];
  readonly verified: VerifiedFactor;
  readonly isFresh: boolean;
  /** When the user authenticated, in seconds since 1970. 0: unknown. */
  readonly authTime: number;
  /** When the provider answered, in milliseconds since 1970. */
  readonly at: number;
}

const longestShown = 320;

/** Postgres stores no NUL, and a page shows no control characters. */
const printable = (text: unknown): string =>
  typeof text === 'string'
    ? text
        .replaceAll(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, longestShown)
        .toWellFormed()
    : '';

/** The text by which the user recognises an identity. */
export const shownOf = ({ email, claims }: Pick<UpstreamUser, 'email' | 'claims'>): string | undefined =>
  [email, claims.preferred_username, claims.nickname, claims.name].map(printable).find((each) => each !== '');

const schema = z.object({
  provider: z.string(),
  upstreamSubject: z.string(),
  shown: z.string().optional(),
  email: z.string().optional(),
  claims: z.record(z.string(), z.unknown()),
  verified: z.object({
    kind: z.literal('provider'),
    acr: z.enum(['urn:carnet:2fa', 'phr']).optional(),
    amr: z.array(z.string()).optional(),
  }),
  isFresh: z.boolean(),
  authTime: z.number().default(0),
  at: z.number(),
});

/** Seals a user who is to confirm the sign-up. The claims travel through the browser: nothing is stored before. */
export const createNewcomerCodec = (vault: Vault, now: () => number) => {
  const codec = createSealedCodec(vault, 'provider-sign-up', schema);
  return {
    seal: (newcomer: Newcomer, binding: string): string => codec.seal(schema.parse(newcomer), binding),
    open: (text: string, binding: string): Newcomer | undefined => {
      const found = codec.open(text, binding);
      if (found === undefined || found.at + proofLifetimeMs <= now()) return undefined;
      return { ...found, shown: found.shown, email: found.email };
    },
  };
};

export interface CreateUserDependencies {
  readonly users: Pick<Users, 'create'>;
  readonly subjects: Pick<LocalSubjects, 'subjectOf'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

/**
 * Creates the user and its identity in one commit. Only an address that the provider calls verified becomes a login name:
 * otherwise an attacker could take the address of a victim who has no account yet.
 *
 * @returns the subject; undefined if the identity or the address belongs to another user by now
 */
export const createUserOf = async (
  { users, subjects, emit }: CreateUserDependencies,
  { provider, upstreamSubject, shown, email, claims, at }: Newcomer,
): Promise<string | undefined> => {
  const { preferred_username: _loginName, ...profile } = claims;
  const address = email === undefined ? undefined : addressOf(email);
  const identity = {
    id: randomUUID(),
    provider,
    upstreamSubject,
    shown,
    subjectPrefix: subjects.subjectOf(''),
    since: at,
  };
  const creation = await users.create({
    ...(address !== undefined && { email: address, emailVerified: true }),
    claims: profile,
    identity,
  });
  if (!creation.created) {
    if (creation.reason === 'taken') return undefined;
    throw new Error(`A user of the provider ${provider} cannot be created: ${creation.message}`);
  }
  const subject = subjects.subjectOf(creation.user.id);
  await emit({ type: 'signed_up', subject });
  await emit({ type: 'identity', action: 'linked', subject, provider, isSignUp: true });
  return subject;
};
