import type { LocalUsers } from '../account/account-operations.ts';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { AccountMails, Recipient } from '../mail/mail.ts';
import { emailOf } from '../users/email-of.ts';
import { textOf } from '../users/shown-user.ts';

export interface NoticeDependencies {
  readonly directories: Pick<Directories, 'load'>;
  readonly local: LocalUsers | undefined;
  /** The label of a provider. */
  readonly labelOf: (provider: string) => string;
  /** Undefined without a mail server. */
  readonly mails: AccountMails | undefined;
  /** Whether users of the accounts database can set a new password by email. */
  readonly canRecover: boolean;
  /** Limits the notices by the kind of the event and the subject. */
  readonly limit: LoginAttempts;
  readonly logger: Pick<Logger, 'error'>;
}

/** The events of which the owner of the account is notified, because an attacker may have caused them. */
type Notified = Extract<
  AccountsEvent,
  | { readonly type: 'password_changed' | 'invitation_accepted' | 'factor' | 'email' | 'identity' }
  | { readonly type: 'deletion'; readonly action: 'requested' }
>;

/** Notices that one hour allows: one user must not fill the queue of emails, which all users share. */
export const noticeLimits = { perLogin: 5, perAddress: 5, windowSeconds: 3600 };

/** Another kind of factor has a count of its own: many new recovery codes must not suppress the notice of a new passkey. */
const countedAs = (event: Notified): string => {
  if (event.type === 'identity') return `identity ${event.action} ${event.provider} ${event.subject}`;
  if (event.type === 'factor') return `factor ${event.action} ${event.kind ?? ''} ${event.subject}`;
  return `${event.type} ${'action' in event ? event.action : ''} ${event.subject}`;
};

/** An email that notifies the owner of an account. */
type Notice = Recipient & { readonly name: string };

/** The address and the language of the user. The user's own language comes first: an attacker may have chosen another. */
const recipientOf = async (
  { directories, local }: NoticeDependencies,
  event: Notified,
): Promise<Notice | undefined> => {
  const { subject } = event;
  const language = 'language' in event ? event.language : undefined;
  const claims = (await directories.load(subject))?.claims;
  const id = local?.subjects.idOf(subject);
  const user = id === undefined ? undefined : await local?.users.show(id);
  const current = emailOf(user) ?? textOf(claims?.email);
  // A new address may belong to an attacker: the previous one gets the notice.
  const to = event.type === 'email' ? event.previous : current;
  return to === undefined ? undefined : { to, name: to, language: textOf(claims?.locale) ?? language };
};

const isNotified = (event: AccountsEvent): event is Notified =>
  ['password_changed', 'factor', 'email'].includes(event.type) ||
  // Without another way to sign in, the user has just chosen the first password in this mailbox.
  (event.type === 'invitation_accepted' && event.hasIdentity === true) ||
  (event.type === 'identity' && !event.isSignUp) ||
  (event.type === 'deletion' && event.action === 'requested');

const send = (
  mails: AccountMails,
  event: Notified,
  notice: Notice,
  { canRecover, labelOf }: Pick<NoticeDependencies, 'canRecover' | 'labelOf'>,
): void => {
  if (event.type === 'password_changed' || event.type === 'invitation_accepted')
    mails.send('passwordChanged', { ...notice, canRecover });
  else if (event.type === 'email')
    mails.send(event.action === 'changed' ? 'emailChanged' : 'emailChangeRequested', notice);
  else if (event.type === 'identity')
    mails.send(event.action === 'linked' ? 'factorAdded' : 'factorRemoved', {
      ...notice,
      factor: { label: labelOf(event.provider) },
    });
  else if (event.type === 'deletion') mails.send('deletionRequested', { ...notice, at: event.deleteAt });
  else if (event.action === 'reset') mails.send('factorsReset', notice);
  else if (event.kind !== undefined)
    mails.send(event.action === 'added' ? 'factorAdded' : 'factorRemoved', { ...notice, factor: event.kind });
};

/**
 * Sends the owner of an account an email about a new password, a new email address, the deletion, and about second factors,
 * passkeys and identities at providers that were added or removed. Beyond the limit, no email is sent: the owner has received several about the same. A
 * failure is logged: the change has been made.
 */
export const createNotices =
  (dependencies: NoticeDependencies) =>
  async (event: AccountsEvent): Promise<void> => {
    const { mails, local, canRecover, labelOf, limit, logger } = dependencies;
    if (mails === undefined || !isNotified(event)) return;
    try {
      const notice = await recipientOf(dependencies, event);
      if (notice === undefined) return;
      const { retryAfterSeconds } = await limit.begin(countedAs(event), undefined);
      if (retryAfterSeconds !== undefined) return;
      const isLocal = local?.subjects.idOf(event.subject) !== undefined;
      send(mails, event, notice, { labelOf, canRecover: canRecover && isLocal });
    } catch (error) {
      logger.error({ err: error, event: event.type }, 'The user was not notified of a change of the account.');
    }
  };
