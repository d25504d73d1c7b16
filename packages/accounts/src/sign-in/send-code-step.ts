import type { Accounts } from '../api/accounts.ts';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { AccountMails } from '../mail/mail.ts';
import { createEmailCode } from '../second-factors/index.ts';
import { verifiedEmailOf } from '../users/email-of.ts';
import { textOf } from '../users/shown-user.ts';
import { inCircumstances, type SignInMachine } from './sign-in-machine.ts';

export interface SendCodeDependencies {
  readonly machine: SignInMachine;
  /** Undefined without a mail server. */
  readonly mails: AccountMails | undefined;
  /** Limits the codes by subject: one user must not fill the queue of emails, which all users share. */
  readonly limit: Pick<LoginAttempts, 'begin'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * `sign-in/send-code`. Only a user whose next step accepts a code by email gets one, which is after the right password: an
 * attacker without it cannot send emails to users, and learns nothing about them.
 */
export const createSendCodeStep =
  ({ machine, mails, limit, emit, now }: SendCodeDependencies): Accounts['signIn']['sendCode'] =>
  async ({ progress, language, ...circumstances }) => {
    const current = await machine.resume(progress, circumstances.binding);
    if (current === undefined) return { state: 'expired' };
    const { account } = current;
    const { subject, directory, claims } = account;
    const next = await machine.next(inCircumstances(current, circumstances));
    const to = verifiedEmailOf(claims);
    if (mails === undefined || to === undefined || next.step !== 'factor' || !next.kinds.includes('email'))
      return machine.advance(current, circumstances);
    const { retryAfterSeconds } = await limit.begin(subject, undefined);
    if (retryAfterSeconds !== undefined) {
      await emit({ type: 'sign_in', method: 'factor', result: 'limited', subject, directory });
      return { state: 'limited', retryAfterSeconds };
    }
    const { expiresAt } = current.progress;
    const { code, sent } = createEmailCode({ to, expiresAt });
    const validSeconds = Math.ceil((expiresAt - now()) / 1_000);
    mails.send('signInCode', { to, name: to, code, validSeconds, language: textOf(claims.locale) ?? language });
    return machine.advance({ account, progress: { ...current.progress, sent } }, circumstances);
  };
