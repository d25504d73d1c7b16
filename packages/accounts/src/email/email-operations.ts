import type { Accounts } from '../api/accounts.ts';
import { addressOf } from '../links/address-of.ts';
import type { AllowedLink } from '../links/allowed-links.ts';
import type { EmailLink, Links } from '../links/links.ts';
import { createProof, isProof } from '../links/proof.ts';
import { type MailedLinkDependencies, requestMail } from '../links/request-mail.ts';
import type { User, Users } from '../store/index.ts';
import { emailOf } from '../users/email-of.ts';
import { shownUser } from '../users/shown-user.ts';

export interface EmailDependencies extends MailedLinkDependencies {
  readonly users: Pick<Users, 'show' | 'changeEmail'>;
  readonly links: Pick<Links, 'email'>;
}

type EmailOperations = Pick<Accounts['account'], 'changeEmail' | 'confirmEmail'>;

const sendMail = async (
  { directories, links, mails }: EmailDependencies,
  content: EmailLink,
  { withToken }: AllowedLink,
): Promise<void> => {
  const { to, language } = content;
  const known = await directories.find(to);
  // A link is stored in either case: the duration of the answer does not reveal which addresses have an account.
  const link = withToken(await links.email.create(content));
  const { validSeconds } = links.email;
  if (known === undefined) mails.send('confirmNewAddress', { to, language, link, validSeconds });
  else mails.send('addressTaken', { to, language });
};

/** The user of the subject, if active and in the accounts database. */
const activeUser = async ({ users, subjects }: EmailDependencies, subject: string): Promise<User | undefined> => {
  const id = subjects.idOf(subject);
  const user = id === undefined ? undefined : await users.show(id);
  return user?.state === 'active' ? user : undefined;
};

const createRequest =
  (dependencies: EmailDependencies): Accounts['account']['changeEmail'] =>
  async ({ subject, email, language, ...request }) => {
    const { ofUsers, emit } = dependencies;
    const user = await activeUser(dependencies, subject);
    if (user === undefined) return { ok: false, error: 'not_supported' };
    const [from, to] = [emailOf(user), addressOf(email)];
    if (to === undefined) return { ok: false, error: 'invalid_email' };
    if (to === from) return { ok: false, error: 'unchanged' };
    // One user must not send emails to many addresses.
    const ofUser = await ofUsers.begin(`email ${subject}`, undefined);
    if (ofUser.retryAfterSeconds !== undefined) return { ok: false, error: 'limited' };
    const { proof, proofHash } = createProof();
    const { id: userId, passwordVersion } = user;
    const content = { userId, passwordVersion, from, to, proofHash, language };
    const sent = await requestMail(dependencies, { ...request, login: to }, (link) =>
      sendMail(dependencies, content, link),
    );
    if (!sent.ok) return sent;
    // For taken addresses too: otherwise the notice would reveal whether the address has an account.
    await emit({ type: 'email', action: 'requested', subject, previous: from, language });
    return { ok: true, proof };
  };

const createConfirm =
  (dependencies: EmailDependencies): Accounts['account']['confirmEmail'] =>
  async ({ subject, token, proof }) => {
    const { users, links, directories, subjects, emit } = dependencies;
    const opened = await links.email.open(token);
    if (opened === undefined) return { ok: false, error: 'invalid_token' };
    const { userId: id, from, to, passwordVersion, proofHash, language } = opened.content;
    // Safe against a forwarded link: it works for the user who requested it, and in the browser that sent the form only.
    if (subjects.subjectOf(id) !== subject || !isProof(proofHash, proof)) return { ok: false, error: 'invalid_token' };
    const known = await directories.find(to);
    if (known !== undefined && known.subject !== subject) return { ok: false, error: 'already_registered' };
    if (!(await opened.take())) return { ok: false, error: 'invalid_token' };
    const change = await users.changeEmail({ id, from, to, passwordVersion });
    if (!change.changed)
      return { ok: false, error: change.reason === 'taken' ? 'already_registered' : 'invalid_token' };
    const user = await users.show(id);
    const logins = new Set([from, to, ...(user?.identifiers ?? []).map(({ value }) => value)]);
    for (const login of logins) if (login !== undefined) await directories.purge({ login });
    await emit({ type: 'email', action: 'changed', subject, previous: from, language });
    return { ok: true, user: shownUser({ subject, claims: user?.claims ?? { email: to } }) };
  };

/**
 * A new email address for a user of the accounts database. It is stored when the link that was sent to it is used, so that
 * no user has an address that belongs to another one.
 */
export const createEmailChange = (dependencies: EmailDependencies): EmailOperations => ({
  changeEmail: createRequest(dependencies),
  confirmEmail: createConfirm(dependencies),
});
