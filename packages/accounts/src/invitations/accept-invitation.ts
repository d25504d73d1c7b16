import type { InvitationOperations } from '../api/invitations.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Directories } from '../directory/index.ts';
import type { Links } from '../links/links.ts';
import type { IdentityStore, User, Users } from '../store/index.ts';
import { emailOf } from '../users/email-of.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import { shownUser } from '../users/shown-user.ts';

export interface AcceptanceDependencies {
  readonly users: Pick<Users, 'show' | 'update' | 'resetPassword'>;
  readonly identities: Pick<IdentityStore, 'list'>;
  readonly subjects: LocalSubjects;
  readonly links: Pick<Links, 'invitation'>;
  readonly directories: Pick<Directories, 'purge'>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

const invalidToken = { ok: false, error: 'invalid_token' } as const;

/** The user of a link; undefined once the user has a password or another address, or is not active. */
const openLink = async ({ links, users }: AcceptanceDependencies, token: string): Promise<User | undefined> => {
  const link = await links.invitation.open(token);
  const user = link && (await users.show(link.content.userId));
  if (link === undefined || user?.state !== 'active' || user.passwordVersion > 0) return undefined;
  return emailOf(user) === link.content.email ? user : undefined;
};

/**
 * The mailbox is proven by the link, so the address is confirmed first: after the password, the link could not be used again to
 * confirm it. The version makes sure that it is the address that got the link.
 */
const confirmAddress = async ({ users }: AcceptanceDependencies, { id, updatedAt, claims }: User): Promise<boolean> =>
  claims.email_verified === true || (await users.update({ id, version: updatedAt, emailVerified: true })).updated;

const createAccept =
  (dependencies: AcceptanceDependencies): InvitationOperations['accept'] =>
  async ({ token, password }) => {
    const { users, identities, subjects, directories, emit } = dependencies;
    const user = await openLink(dependencies, token);
    if (user === undefined || !(await confirmAddress(dependencies, user))) return invalidToken;
    const { id, claims } = user;
    // Safe against a second use: the database sets the password only if the user still has none.
    const change = await users.resetPassword({ id, passwordVersion: 0, password });
    if (!change.changed)
      return change.reason === 'weak_password'
        ? { ok: false, error: 'weak_password', message: change.message }
        : invalidToken;
    const subject = subjects.subjectOf(id);
    for (const { value: login } of user.identifiers) await directories.purge({ login });
    const hasIdentity = (await identities.list(subject)).length > 0;
    await emit({ type: 'invitation_accepted', subject, ...(hasIdentity && { hasIdentity }) });
    return { ok: true, user: shownUser({ subject, claims }) };
  };

/** The answers without the accounts database. */
export const withoutInvitations: InvitationOperations = {
  inspect: async () => invalidToken,
  accept: async () => invalidToken,
};

/** Invitations, for users of the accounts database without a password. */
export const createInvitationOperations = (dependencies: AcceptanceDependencies): InvitationOperations => ({
  inspect: async ({ token }) => {
    const user = await openLink(dependencies, token);
    if (user === undefined) return invalidToken;
    return { ok: true, user: shownUser({ subject: dependencies.subjects.subjectOf(user.id), claims: user.claims }) };
  },
  accept: createAccept(dependencies),
});
