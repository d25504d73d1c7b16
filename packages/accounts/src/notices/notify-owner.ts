import type { Directories } from '@carnet/directory';
import type { LocalUsers } from '../account/account-operations.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { AccountMails, Notice } from '../links/account-mails.ts';

export interface NoticeDependencies {
  readonly directories: Pick<Directories, 'load'>;
  readonly local: LocalUsers | undefined;
  /** Undefined without a mail server. */
  readonly mails: AccountMails | undefined;
  /** Whether users of the accounts database can set a new password by email. */
  readonly canRecover: boolean;
  readonly logger: Pick<Logger, 'error'>;
}

/** The events of which the owner of the account is notified, because an attacker may have caused them. */
type Notified = Extract<AccountsEvent, { readonly type: 'password_changed' | 'factor' }>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The address and the language of the user. The user's own language comes first: an attacker may have chosen another. */
const recipientOf = async (
  { directories, local }: NoticeDependencies,
  { subject, language }: Notified,
): Promise<Notice | undefined> => {
  const claims = (await directories.load(subject))?.claims;
  const id = local?.subjects.idOf(subject);
  const user = id === undefined ? undefined : await local?.users.show(id);
  const to = user?.identifiers.find(({ kind }) => kind === 'email')?.value ?? text(claims?.email);
  return to === undefined ? undefined : { to, name: to, language: text(claims?.locale) ?? language };
};

const send = (mails: AccountMails, event: Notified, notice: Notice, canRecover: boolean): void => {
  if (event.type === 'password_changed') mails.passwordChanged({ ...notice, canRecover });
  else if (event.action === 'reset') mails.factorsReset(notice);
  else if (event.kind !== undefined) {
    const ofFactor = { ...notice, factor: event.kind };
    if (event.action === 'added') mails.factorAdded(ofFactor);
    else mails.factorRemoved(ofFactor);
  }
};

/**
 * Sends the owner of an account an email about a new password, and about second factors and passkeys that were added or
 * removed. A failure is logged: the change has been made.
 */
export const createNotices =
  (dependencies: NoticeDependencies) =>
  async (event: AccountsEvent): Promise<void> => {
    const { mails, local, canRecover, logger } = dependencies;
    if (mails === undefined || (event.type !== 'password_changed' && event.type !== 'factor')) return;
    try {
      const notice = await recipientOf(dependencies, event);
      const isLocal = local?.subjects.idOf(event.subject) !== undefined;
      if (notice !== undefined) send(mails, event, notice, canRecover && isLocal);
    } catch (error) {
      logger.error({ err: error, event: event.type }, 'The user was not notified of a change of the account.');
    }
  };
