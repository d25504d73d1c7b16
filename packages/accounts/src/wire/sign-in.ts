import { z } from 'zod';
import type { SignInOperations } from '../api/sign-in.ts';
import type { OperationsOf } from './operation.ts';
import {
  context,
  factorKind,
  language,
  limited,
  loginName,
  organizationName,
  password,
  signIn,
  webauthn,
} from './parts.ts';

const step = { progress: z.string(), ...context.shape };

export const signInOperations = {
  identify: {
    summary: 'Get the realm of a login name, and how its users sign in. The answer reveals nothing about users.',
    input: z.object({ login: loginName, ...context.shape }),
    output: z.object({ realm: z.string().optional(), methods: z.array(z.enum(['password', 'passkey'])) }),
  },
  password: {
    summary: 'Check a login name and a password.',
    input: z.object({ login: loginName, password, ...context.shape }),
    output: signIn,
  },
  requestEmailCode: {
    summary:
      'Send a code to the verified address of a user, in place of the password. The answer is the same for an unknown user.',
    input: z.object({ login: loginName, language, ...context.shape }),
    output: z.discriminatedUnion('state', [
      z
        .object({ state: z.literal('email_code'), progress: z.string() })
        .describe('The code of the email belongs to this progress: `sign-in/email-code`.'),
      limited,
    ]),
  },
  emailCode: {
    summary: 'Verify the code of `sign-in/request-email-code`, in place of the password.',
    input: z.object({ progress: z.string(), code: z.string().min(1).max(64), ...context.shape }),
    output: signIn,
  },
  sendCode: {
    summary: 'Send the user of a sign-in a code by email. The code belongs to the returned progress.',
    input: z.object({ progress: z.string(), language, ...context.shape }),
    output: signIn,
  },
  factor: {
    summary: 'Verify a code as the second factor of a sign-in.',
    input: z.object({ progress: z.string(), kind: factorKind, code: z.string().min(1).max(64), ...context.shape }),
    output: signIn,
  },
  passkeyOptions: {
    summary: 'Get the options with which a browser asks for a passkey.',
    input: z.object({ progress: z.string().optional(), ...context.shape }),
    output: z.object({ options: webauthn, challenge: z.string() }),
  },
  passkey: {
    summary: 'Verify the answer of a passkey, as the second factor of a sign-in or as the whole sign-in.',
    input: z.object({ challenge: z.string(), response: webauthn, progress: z.string().optional(), ...context.shape }),
    output: signIn,
  },
  skipEnrolment: {
    summary: 'Continue a sign-in without enrolling a second factor, if the policy allows it.',
    input: z.object(step),
    output: signIn,
  },
  resume: {
    summary: 'Continue a sign-in after the enrolment of a second factor.',
    input: z.object(step),
    output: signIn,
  },
  chooseOrganization: {
    summary: 'Continue a sign-in for an organization that the user has chosen.',
    input: z.object({ chosen: organizationName, ...step }),
    output: signIn,
  },
  keepAccount: {
    summary: 'Keep the account of a user who has asked to be deleted, and continue the sign-in.',
    input: z.object({ progress: z.string(), language, ...context.shape }),
    output: signIn,
  },
  newPassword: {
    summary: 'Set the new password that the directory asks for, and continue the sign-in.',
    input: z.object({ progress: z.string(), password, next: password, language, ...context.shape }),
    output: z.union([signIn, z.object({ state: z.literal('weak_password'), message: z.string().optional() })]),
  },
} as const satisfies OperationsOf<SignInOperations>;
