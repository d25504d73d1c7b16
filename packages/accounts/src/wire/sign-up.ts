import { z } from 'zod';
import type { InvitationOperations } from '../api/invitations.ts';
import type { RecoveryOperations, SignUpOperations } from '../api/sign-up.ts';
import type { OperationsOf } from './operation.ts';
import { context, language, loginName, outcome, password, shownUser } from './parts.ts';

const token = z.string().max(8192);

const link = {
  language,
  linkBase: z.url(),
  returnTo: z.string().max(8192).optional(),
  address: z.string().max(128).optional(),
};

export const signUpOperations = {
  request: {
    summary: 'Send an email with a link that creates an account. The answer is the same for a known address.',
    input: z.object({
      email: loginName,
      password: password.optional().describe('May be left out if `settings` has `email_sign_in`.'),
      name: z.string().max(200).optional(),
      ...link,
    }),
    output: outcome(['weak_password', 'invalid_email', 'limited', 'not_supported'], {
      proof: z.string().describe('Keep it in the browser, for `sign-up/confirm`.'),
    }),
  },
  confirm: {
    summary: 'Create the account of a link. The link can be used once.',
    input: z.object({
      token,
      proof: z.string().max(128).optional(),
      password: password.optional(),
      binding: context.shape.binding.optional().describe('The login challenge of the browser that sent the form.'),
    }),
    output: outcome(['invalid_token', 'already_registered', 'password_needed', 'weak_password'], {
      user: shownUser,
      progress: z.string().optional().describe('For `sign-in/resume` with the `binding`: the password is verified.'),
      returnTo: z.string().optional(),
    }),
  },
} as const satisfies OperationsOf<SignUpOperations>;

export const recoveryOperations = {
  request: {
    summary: 'Send an email with a link that sets a new password. The answer is the same for an unknown user.',
    input: z.object({ login: loginName, ...link }),
    output: outcome(['limited', 'not_supported'], {}),
  },
  inspect: {
    summary: 'Check the link of an email without using it.',
    input: z.object({ token }),
    output: outcome(['invalid_token'], { user: shownUser }),
  },
  confirm: {
    summary: 'Set a new password with the link of an email. The link can be used once.',
    input: z.object({ token, password }),
    output: outcome(['invalid_token', 'weak_password'], { user: shownUser, returnTo: z.string().optional() }),
  },
} as const satisfies OperationsOf<RecoveryOperations>;

export const invitationOperations = {
  inspect: {
    summary: 'Check the link of an invitation without using it.',
    input: z.object({ token }),
    output: outcome(['invalid_token'], { user: shownUser }),
  },
  accept: {
    summary:
      'Set the first password with the link of an invitation, and confirm the address. The link can be used once.',
    input: z.object({ token, password }),
    output: outcome(['invalid_token', 'weak_password'], { user: shownUser }),
  },
} as const satisfies OperationsOf<InvitationOperations>;
