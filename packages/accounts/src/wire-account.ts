import { z } from 'zod';
import { device, language, loginName, outcome, password, shownUser, subject } from './wire-parts.ts';

/** The operations of the account page: the caller has authenticated the user. */
export const accountOperations = {
  'account/show': {
    input: z.object({ subject }),
    output: z.object({
      user: shownUser.optional(),
      claims: z.record(z.string(), z.unknown()),
      directory: z.string().optional(),
      /**
       * Milliseconds since 1970: end every sign-in of the user with an earlier `auth_time`, remembered or not. A sign-in after
       * this time is done in a later second, so that its `auth_time` is later, too.
       */
      sessions_ended_at: z.number().optional(),
      /** End every sign-in of the user that was begun with another version. Absent where the directory has none. */
      password_version: z.string().optional(),
      /** The actions of the account page that the user may take. */
      can: z.object({
        change_password: z.boolean(),
        edit_profile: z.boolean(),
        /** An earlier server has none. */
        change_email: z.boolean().default(false),
        delete_account: z.boolean(),
      }),
    }),
  },
  'account/update': {
    input: z.object({ subject, claims: z.record(z.string(), z.unknown()) }),
    output: outcome(['not_supported', 'invalid_claims'], {}),
  },
  'account/change-password': {
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
  /** Sends a link to the new address. The answer is equal for free and taken addresses; only the email differs. */
  'account/change-email': {
    input: z.object({
      subject,
      email: loginName,
      language,
      link_base: z.url(),
      address: z.string().max(128).optional(),
    }),
    output: outcome(['invalid_email', 'unchanged', 'limited', 'not_supported'], {
      proof: z.string().describe('Keep it in the browser, for `account/confirm-email`.'),
    }),
  },
  /** Changes the address by the link, for the user and in the browser that requested it. */
  'account/confirm-email': {
    input: z.object({ subject, token: z.string().max(8192), proof: z.string().max(128) }),
    output: outcome(['invalid_token', 'already_registered'], { user: shownUser }),
  },
  /**
   * Signs the user out everywhere, revokes all tokens, and deletes the account when the grace period is over
   * (`accounts.deletion`). A sign-in before then can keep it.
   */
  'account/delete': {
    input: z.object({ subject, language }),
    output: outcome(['not_supported'], { delete_at: z.iso.datetime() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;
