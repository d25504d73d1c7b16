import { z } from 'zod';
import type { UserOperations } from '../api/users.ts';
import type { OperationsOf } from './operation.ts';
import { factorId, loginName, password, shownFactor, shownIdentity, subject } from './parts.ts';

/** Postgres has no text with NUL. */
const text = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .refine((value) => !value.includes('\0'), 'must not have a NUL character');

const claims = z.record(z.string(), z.unknown());
const state = z.enum(['active', 'disabled', 'locked']);
const ifVersion = z.string().max(64).optional();
const externalId = text(255);

/** The members of every list that has pages. */
const paging = {
  limit: z.int().min(1).max(500).optional(),
  after: z.string().max(2048).optional(),
  offset: z.int().min(0).optional(),
  withTotal: z.boolean().optional(),
};

export const managedUser = z.object({
  subject,
  directory: z.string(),
  state,
  logins: z.array(z.string()),
  claims,
  groups: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
  externalId: z.string().optional(),
  hasPassword: z.boolean().optional(),
  createdAt: z.date().optional(),
  updatedAt: z.date().optional(),
  deleteAt: z.date().optional(),
  version: z.string().optional(),
});

/** The members of an input that have the same schema over HTTP. */
export const userMembers = { text, claims, state, loginName, password, externalId, ifVersion, paging };

const one = z.object({ subject });

/** The schemas of `UserOperations`. */
export const userOperations = {
  list: {
    summary: 'List users, or search them by the beginning of a login name or name.',
    input: z.object({
      search: text(320).optional(),
      login: loginName.optional(),
      state: state.optional(),
      externalId: externalId.optional(),
      ...paging,
    }),
    output: z.object({ users: z.array(managedUser), next: z.string().optional(), total: z.int().optional() }),
  },
  get: { summary: 'Get a user of any directory.', input: one, output: managedUser },
  create: {
    summary: 'Create a user in the accounts database.',
    input: z.object({
      email: loginName.optional(),
      emailVerified: z.boolean().optional(),
      username: loginName.optional(),
      password: password.optional(),
      passwordHash: text(1024).optional(),
      invite: z.boolean().optional(),
      claims: claims.optional(),
      state: state.optional(),
      externalId: externalId.optional(),
    }),
    output: managedUser,
  },
  invite: {
    summary:
      'Send a user without a password an email with a link, with which the user chooses one. Earlier links become void.',
    input: one,
    output: managedUser,
  },
  update: {
    summary: 'Change a user of the accounts database. A user who is no longer active is signed out everywhere.',
    input: z.object({
      subject,
      ifVersion,
      email: loginName.nullable().optional(),
      emailVerified: z.boolean().optional(),
      username: loginName.nullable().optional(),
      claims: claims.optional(),
      state: state.optional(),
      externalId: externalId.nullable().optional(),
    }),
    output: managedUser,
  },
  disable: {
    summary: 'Disable a user, end the sessions, and revoke all grants and tokens.',
    input: one,
    output: managedUser,
  },
  delete: {
    summary: 'Delete a user of the accounts database, end the sessions, and revoke all grants and tokens.',
    input: z.object({ subject, ifVersion }),
    output: z.void(),
  },
  endSessions: {
    summary: 'End the sessions of a user of any directory, and revoke all grants and tokens.',
    input: one,
    output: z.void(),
  },
  unlock: {
    summary: 'Forget the failed attempts of a user, and make a locked user active.',
    input: one,
    output: managedUser,
  },
  credentials: {
    summary: 'List the second factors and the identities at providers of a user of any directory, without secrets.',
    input: one,
    output: z.object({ factors: z.array(shownFactor), identities: z.array(shownIdentity) }),
  },
  resetFactors: {
    summary: 'Remove all second factors of a user who has lost them.',
    input: one,
    output: z.object({ removed: z.int() }),
  },
  unlinkIdentity: {
    summary: 'Remove an identity of a user at a provider, also if it is the last way to sign in.',
    input: z.object({ subject, id: factorId }),
    output: z.void(),
  },
  sendRecovery: {
    summary:
      'Send an active user of the accounts database an email with a link, with which the user sets a new password.',
    input: z.object({ subject, linkBase: z.string().max(2048).optional() }),
    output: z.void(),
  },
} as const satisfies OperationsOf<UserOperations>;
