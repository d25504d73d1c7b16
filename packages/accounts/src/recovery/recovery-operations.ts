import type { RecoveryOperations } from '../api/sign-up.ts';
import type { AllowedLink } from '../links/allowed-links.ts';
import type { Links } from '../links/links.ts';
import { type MailedLinkDependencies, requestMail } from '../links/request-mail.ts';
import type { User, Users } from '../store/index.ts';
import { emailOf } from '../users/email-of.ts';
import { shownUser } from '../users/shown-user.ts';

export interface RecoveryDependencies extends MailedLinkDependencies {
  readonly users: Pick<Users, 'show' | 'resetPassword'>;
  readonly links: Pick<Links, 'recovery'>;
}

/** The user with this login, if active, in the accounts database and with an email address. */
const findRecoverable = async (
  { directories, users, subjects }: RecoveryDependencies,
  login: string,
): Promise<{ readonly user: User; readonly to: string } | undefined> => {
  const account = await directories.find(login);
  // The same query for unknown users: the duration does not reveal which users exist.
  const user = await users.show((account && subjects.idOf(account.subject)) ?? '');
  const to = emailOf(user);
  return user?.state === 'active' && to !== undefined ? { user, to } : undefined;
};

const sendMail = async (
  dependencies: RecoveryDependencies,
  { login, language }: Pick<Parameters<RecoveryOperations['request']>[0], 'login' | 'language'>,
  { withToken, returnTo }: AllowedLink,
): Promise<void> => {
  const { links, mails, subjects, ofUsers, directories } = dependencies;
  const found = await findRecoverable(dependencies, login);
  // Each alias has a count of its own: the count of the user limits the emails that all of them send. The answer does not change.
  const owner = found === undefined ? `unknown ${directories.lookupKey(login)}` : subjects.subjectOf(found.user.id);
  const { retryAfterSeconds } = await ofUsers.begin(owner, undefined);
  // A link is stored in either case: the duration of the answer does not reveal which users exist.
  const { id: userId, passwordVersion } = found?.user ?? { id: '', passwordVersion: 0 };
  const subject = subjects.subjectOf(userId);
  const link = withToken(
    await links.recovery.create({ subject, userId, passwordVersion, email: found?.to, language, returnTo }),
  );
  const { validSeconds } = links.recovery;
  // To the stored address, never to the entered one.
  if (found !== undefined && retryAfterSeconds === undefined)
    mails.send('resetPassword', { to: found.to, name: found.to, language, link, validSeconds });
};

/** The link with its user; undefined once the password or the email address was changed after the link was created. */
const openLink = async ({ links, users }: RecoveryDependencies, token: string) => {
  const link = await links.recovery.open(token);
  const user = link && (await users.show(link.content.userId));
  if (link === undefined || user?.state !== 'active') return undefined;
  const { passwordVersion, email } = link.content;
  // A mailbox that the user has given up must not set a new password.
  const isSameAddress = email === undefined || email === emailOf(user);
  return user.passwordVersion === passwordVersion && isSameAddress ? { link, user } : undefined;
};

const createConfirm =
  (dependencies: RecoveryDependencies): RecoveryOperations['confirm'] =>
  async ({ token, password }) => {
    const { users, directories, emit, subjects } = dependencies;
    const opened = await openLink(dependencies, token);
    if (opened === undefined) return { ok: false, error: 'invalid_token' };
    const { link, user } = opened;
    const { userId: id, passwordVersion, returnTo, language } = link.content;
    // Safe against a second use: the database changes the password only if its version is still the one in the link.
    const change = await users.resetPassword({ id, passwordVersion, password });
    if (!change.changed)
      return change.reason === 'weak_password'
        ? { ok: false, error: 'weak_password', message: change.message }
        : { ok: false, error: 'invalid_token' };
    const subject = subjects.subjectOf(id);
    for (const { value: login } of user.identifiers) await directories.purge({ login });
    await emit({ type: 'password_changed', subject, by: 'recovery', language });
    const shown = shownUser({ subject, claims: user.claims });
    return { ok: true, user: shown, ...(returnTo !== undefined && { returnTo: returnTo }) };
  };

/** Forgotten passwords, for the users of the accounts database. The answers are equal for known and unknown users. */
export const createRecovery = (dependencies: RecoveryDependencies): RecoveryOperations => ({
  request: (input) => requestMail(dependencies, input, (link) => sendMail(dependencies, input, link)),
  inspect: async ({ token }) => {
    const opened = await openLink(dependencies, token);
    if (opened === undefined) return { ok: false, error: 'invalid_token' };
    const { user } = opened;
    return { ok: true, user: shownUser({ subject: dependencies.subjects.subjectOf(user.id), claims: user.claims }) };
  },
  confirm: createConfirm(dependencies),
});
