import { AccountsError, notSupported } from '../accounts-error.ts';
import type { Links } from '../links/links.ts';
import type { AccountMails } from '../mail/mail.ts';
import type { User } from '../store/index.ts';
import { emailOf } from '../users/email-of.ts';
import { textOf } from '../users/shown-user.ts';

export interface InvitationDependencies {
  readonly links: Pick<Links, 'invitation'> | undefined;
  /** Undefined without a mail server. */
  readonly mails: AccountMails | undefined;
  /** The page to which the link leads; undefined if there is none. */
  readonly page: string | undefined;
}

/** The members of a user that decide whether the user can be invited. */
type Invited = Pick<User, 'state' | 'passwordVersion'> & { readonly email: string | undefined };

export interface Invitations {
  /** @throws AccountsError `not_supported` without a mail server; `invalid_input` for a user who cannot be invited */
  assertPossible(user: Invited): void;
  /** Sends the user an email with a link, and makes earlier ones void. @throws AccountsError as `assertPossible` */
  send(user: User): Promise<void>;
}

const invalid = (field: string, message: string): AccountsError =>
  new AccountsError('invalid_input', `Field '${field}': ${message}`, { field });

/** The address of a user who can be invited. @throws AccountsError `invalid_input` */
const addressOf = ({ email, state, passwordVersion }: Invited): string => {
  if (email === undefined) throw invalid('email', 'an invitation needs an email address.');
  if (state !== 'active') throw invalid('state', 'only an active user can be invited.');
  // A link that replaces a password would be a recovery that its user has not requested.
  if (passwordVersion > 0) throw invalid('password', 'a user who has a password is not invited.');
  return email;
};

export const createInvitations = ({ links, mails, page }: InvitationDependencies): Invitations => {
  const parts = links === undefined || mails === undefined || page === undefined ? undefined : { links, mails, page };
  const needed = () => {
    if (parts !== undefined) return parts;
    throw notSupported('The invitation of users', 'Set accounts.mail, and urls.login or accounts.invitations.page.');
  };
  return {
    assertPossible: (user) => {
      needed();
      addressOf(user);
    },
    async send(user) {
      const { links: kinds, mails: queue, page: base } = needed();
      const email = addressOf({ ...user, email: emailOf(user) });
      const { validSeconds } = kinds.invitation;
      const link = new URL(base);
      link.searchParams.set('token', await kinds.invitation.create({ userId: user.id, email }));
      const language = textOf(user.claims.locale);
      queue.send('invitation', { to: email, name: email, language, link: link.href, validSeconds });
    },
  };
};
