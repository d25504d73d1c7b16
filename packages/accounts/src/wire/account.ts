import { z } from 'zod';
import type { AccountOperations } from '../api/account.ts';
import type { OperationsOf } from './operation.ts';
import { device, language, loginName, milliseconds, outcome, password, shownUser, subject } from './parts.ts';

/** The operations of the account page: the caller has authenticated the user. */
export const accountOperations = {
  show: {
    summary: "Get a user's claims, directory, and the actions that the directory supports.",
    input: z.object({ subject }),
    output: z.object({
      user: shownUser.optional(),
      claims: z.record(z.string(), z.unknown()),
      directory: z.string().optional(),
      sessionsEndedAt: milliseconds.optional(),
      passwordVersion: z.string().optional(),
      can: z.object({
        changePassword: z.boolean(),
        editProfile: z.boolean(),
        /** An earlier server has none. */
        changeEmail: z.boolean().default(false),
        deleteAccount: z.boolean(),
      }),
    }),
  },
  update: {
    summary: "Change a user's profile.",
    input: z.object({ subject, claims: z.record(z.string(), z.unknown()) }),
    output: outcome(['not_supported', 'invalid_claims'], {}),
  },
  changePassword: {
    summary: "Change a user's password. It ends the remembered logins of the user, and by default revokes the tokens.",
    input: z.object({
      subject,
      current: password,
      next: password,
      address: z.string().max(128).optional(),
      device,
      language,
    }),
    output: outcome(['wrong_password', 'weak_password', 'not_supported', 'limited'], {}),
  },
  changeEmail: {
    summary:
      'Send a link to the new email address of a user. The answer is the same for an address that has an account.',
    input: z.object({
      subject,
      email: loginName,
      language,
      linkBase: z.url(),
      address: z.string().max(128).optional(),
    }),
    output: outcome(['invalid_email', 'unchanged', 'limited', 'not_supported'], {
      proof: z.string().describe('Keep it in the browser, for `account/confirm-email`.'),
    }),
  },
  confirmEmail: {
    summary: "Change a user's email address by the link, in the browser that requested it.",
    input: z.object({ subject, token: z.string().max(8192), proof: z.string().max(128) }),
    output: outcome(['invalid_token', 'already_registered'], { user: shownUser }),
  },
  delete: {
    summary: 'Sign a user out everywhere, and delete the account when the grace period is over.',
    input: z.object({ subject, language }),
    output: outcome(['not_supported'], { deleteAt: z.date() }),
  },
} as const satisfies OperationsOf<AccountOperations>;
