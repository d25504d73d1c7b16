import type { Directories, PasswordHashing } from '@carnet/directory';
import type { Links, Users } from '@carnet/directory-sql';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { AccountMails } from '../links/account-mails.ts';
import type { AllowedLink, AllowedLinks } from '../links/allowed-links.ts';
import { requestMail } from '../links/request-mail.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import { shownUser } from '../users/shown-user.ts';
import type { Accounts, Input } from '../wire.ts';

export interface SignUpDependencies {
  readonly users: Pick<Users, 'create' | 'passwordProblem'>;
  readonly isEmail: (text: string) => boolean;
  readonly directories: Pick<Directories, 'find'>;
  readonly hashing: Pick<PasswordHashing, 'hash'>;
  readonly links: Pick<Links, 'signUp'>;
  readonly mails: AccountMails;
  readonly allowedLinks: AllowedLinks;
  /** Counts every request: each one may send an email. */
  readonly requests: LoginAttempts;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly subjects: Pick<LocalSubjects, 'subjectOf'>;
}

type SignUpOperations = Pick<Accounts, 'sign-up/request' | 'sign-up/confirm'>;

const sendMail = async (
  { directories, hashing, links, mails }: SignUpDependencies,
  { email: to, password, name, language }: Input<'sign-up/request'>,
  { withToken, returnTo }: AllowedLink,
): Promise<void> => {
  const known = await directories.find(to);
  // The password is hashed for known addresses too, so that the duration of the answer does not reveal them.
  const passwordHash = await hashing.hash(password, to);
  const link = withToken(links.signUp.seal({ email: to, passwordHash, name, language, returnTo }));
  const { validSeconds } = links.signUp;
  if (known === undefined) mails.confirmAddress({ to, language, link, validSeconds });
  else mails.alreadyRegistered({ to, language });
};

/**
 * Sign-up with a confirmed address. The user is created when the link of the email is used: a sign-up with the address of
 * another user stores nothing.
 */
export const createSignUp = (dependencies: SignUpDependencies): SignUpOperations => {
  const { users, isEmail, links, emit, subjects } = dependencies;
  return {
    'sign-up/request': async (input) => {
      if (!isEmail(input.email)) return { ok: false, error: 'invalid_email' };
      const message = users.passwordProblem(input.password, [input.email]);
      if (message !== undefined) return { ok: false, error: 'weak_password', message };
      return requestMail(dependencies, { ...input, login: input.email }, (link) => sendMail(dependencies, input, link));
    },
    'sign-up/confirm': async ({ token }) => {
      const opened = links.signUp.open(token);
      if (opened === undefined || !(await opened.take())) return { ok: false, error: 'invalid_token' };
      const { email: address, passwordHash, name, returnTo } = opened.content;
      const claims = name === undefined ? {} : { name };
      const created = await users.create({ email: address, emailVerified: true, passwordHash, claims });
      if (!created.created) return { ok: false, error: 'already_registered' };
      const subject = subjects.subjectOf(created.user.id);
      await emit({ type: 'signed_up', subject });
      const user = shownUser({ subject, claims: created.user.claims });
      return { ok: true, user, ...(returnTo !== undefined && { return_to: returnTo }) };
    },
  };
};
