import { AccountsError, notSupported } from '../accounts-error.ts';
import type { UserOperations } from '../api/users.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import { shownFactor } from '../factors/factor-operations.ts';
import { shownIdentity } from '../federation/manage-identities.ts';
import type { AllowedLinks } from '../links/allowed-links.ts';
import type { Links } from '../links/links.ts';
import type { AccountMails } from '../mail/mail.ts';
import type { SecondFactors } from '../second-factors/index.ts';
import type { IdentityStore, Users } from '../store/index.ts';
import { emailOf } from './email-of.ts';
import type { LocalSubjects } from './local-subjects.ts';
import { createRecorded } from './recorded.ts';
import { noLocalUsers, noSuchUser, readOnly } from './refusals.ts';
import { textOf } from './shown-user.ts';

export interface RecoveryMails {
  readonly links: Pick<Links, 'recovery'>;
  readonly mails: AccountMails;
  readonly allowedLinks: AllowedLinks;
  /** The page of the links, unless the caller names another; undefined if there is none. */
  readonly page: string | undefined;
}

export interface CredentialDependencies {
  readonly directories: Pick<Directories, 'load'>;
  readonly local: { readonly users: Pick<Users, 'show'>; readonly subjects: LocalSubjects } | undefined;
  /** Undefined without an accounts database. */
  readonly factors: Pick<SecondFactors, 'list' | 'reset'> | undefined;
  /** Undefined without an accounts database. */
  readonly identities: Pick<IdentityStore, 'list' | 'unlink'> | undefined;
  readonly labelOf: (provider: string) => string;
  /** Undefined if recovery is off, or without a mail server. */
  readonly recovery: RecoveryMails | undefined;
  /** Records the event, and notifies the user of it. */
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

/** The operations on what a user signs in with. */
export type CredentialOperations = Pick<
  UserOperations,
  'credentials' | 'resetFactors' | 'unlinkIdentity' | 'sendRecovery'
>;

const createSendRecovery =
  ({ local, directories, recovery }: CredentialDependencies): CredentialOperations['sendRecovery'] =>
  async ({ subject, linkBase }) => {
    const needed = 'Set accounts.recovery.enabled and accounts.mail, and urls.login or the page of the link.';
    const page = linkBase ?? recovery?.page;
    if (recovery === undefined || page === undefined) throw notSupported('The recovery by email', needed);
    if (local === undefined) throw noLocalUsers('The recovery by email');
    const id = local.subjects.idOf(subject);
    const user = id === undefined ? undefined : await local.users.show(id);
    if (user === undefined) {
      const account = await directories.load(subject);
      throw account === undefined ? noSuchUser() : readOnly(account.directory);
    }
    const email = emailOf(user);
    if (user.state !== 'active' || email === undefined)
      throw new AccountsError('invalid_input', 'Only an active user with an email address gets a recovery email.', {
        field: 'subject',
      });
    const { links, mails, allowedLinks } = recovery;
    const language = textOf(user.claims.locale);
    const { withToken } = allowedLinks.of({ linkBase: page });
    const { id: userId, passwordVersion } = user;
    const token = await links.recovery.create({ subject, userId, passwordVersion, email, language });
    const { validSeconds } = links.recovery;
    mails.send('resetPassword', { to: email, name: email, language, link: withToken(token), validSeconds });
  };

/** Administrators see what a user signs in with, and remove it. */
export const createCredentialOperations = (dependencies: CredentialDependencies): CredentialOperations => {
  const { factors, identities, labelOf, emit } = dependencies;
  const recorded = createRecorded(emit);
  return {
    credentials: async ({ subject }) => {
      const [listed, linked] = await Promise.all([factors?.list(subject), identities?.list(subject)]);
      return {
        factors: (listed ?? []).map(shownFactor),
        identities: (linked ?? []).map((identity) => shownIdentity(identity, labelOf)),
      };
    },
    resetFactors: async ({ subject }) => {
      const removed = (await factors?.reset(subject)) ?? 0;
      if (removed > 0) await emit({ type: 'factor', action: 'reset', subject });
      return { removed };
    },
    // The last identity, too: an administrator removes one that is not the user's, and sends a recovery email.
    unlinkIdentity: async ({ subject, id }) => {
      const found = (await identities?.list(subject))?.find((each) => each.id === id);
      const isUnlinked = found !== undefined && (await identities?.unlink(subject, id, { keepLast: false }));
      if (!isUnlinked) throw new AccountsError('not_found', 'The user has no identity with this id.', { field: 'id' });
      await emit({ type: 'identity', action: 'unlinked', subject, provider: found.provider });
    },
    sendRecovery: recorded(createSendRecovery(dependencies), ({ subject }) => ({
      type: 'user',
      action: 'send_recovery',
      subject,
    })),
  };
};
