import type { LocalUsers } from '../account/account-operations.ts';
import type { Circumstances } from '../api/sign-in.ts';
import type { Account } from '../directory/index.ts';
import type { IdentityLinks } from '../federation/identity-links.ts';
import type { OrganizationOptions } from '../options.ts';
import type { Current } from '../sign-in/sign-in-machine.ts';
import type { IdentityStore } from '../store/index.ts';
import type { Belonging } from './choose-organization.ts';

export interface BelongingDependencies {
  readonly organizations: readonly OrganizationOptions[];
  readonly local: LocalUsers | undefined;
  readonly identities: Pick<IdentityStore, 'list'> | undefined;
  readonly links: Pick<IdentityLinks, 'providerOf'> | undefined;
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/**
 * The groups that decide about organizations.
 *
 * Safe against a customer who makes its users members of another organization by the name of a group, because only the groups
 * of the accounts database are read, and the claims of directories that no organization lists: a provider or a directory of a
 * customer decides about the claim `groups` of its users.
 */
const groupsOf = async (
  { organizations, local }: BelongingDependencies,
  { directory, subject, claims }: Account,
): Promise<readonly string[]> => {
  if (organizations.every(({ members }) => members.groups.length === 0)) return [];
  if (directory === local?.directory) {
    const user = await local.users.show(local.subjects.idOf(subject) ?? '');
    return user?.groups.map(({ name }) => name) ?? [];
  }
  return organizations.some(({ directories }) => directories.includes(directory)) ? [] : textsIn(claims.groups);
};

/**
 * By what the user of a sign-in is a member.
 *
 * Safe against a user who enters the organization of a provider by a password, or a passkey, because only the identity of this
 * sign-in is read, not those that the user has besides.
 */
export const belongingOfSignIn = async (
  dependencies: BelongingDependencies,
  { progress, account }: Current,
  { link, binding }: Circumstances,
): Promise<Belonging> => {
  const { subject, directory } = account;
  const linked = link === undefined ? undefined : dependencies.links?.providerOf(link, { subject, binding });
  const providers = [progress.identity?.provider, linked].filter((name) => name !== undefined);
  return { directory, providers, groups: await groupsOf(dependencies, account) };
};

/**
 * By what the user of a remembered login is a member.
 *
 * Safe against a user who has signed in with another provider, and then removes that identity, because the provider is never derived from
 * the identities that the user has now. It is the one that `signIn` stated when the login began (`provider`), and the user must still have
 * an identity there.
 */
export const belongingOfSession = async (
  dependencies: BelongingDependencies,
  account: Account,
  provider: string | undefined,
): Promise<Belonging> => {
  const { directory, subject } = account;
  const identities = provider === undefined ? undefined : await dependencies.identities?.list(subject);
  const isLinked = identities?.some((identity) => identity.provider === provider) === true;
  return {
    directory,
    providers: isLinked && provider !== undefined ? [provider] : [],
    groups: await groupsOf(dependencies, account),
  };
};
