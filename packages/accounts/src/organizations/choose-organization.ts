import type { ShownOrganization } from '../api/organizations.ts';
import { domainOf } from '../federation/provider.ts';
import { type AccountsOptions, accountPages, type OrganizationOptions } from '../options.ts';
import { policies } from '../second-factors/policy/settings.ts';

export const shownOrganization = ({ name, displayName }: OrganizationOptions): ShownOrganization => ({
  name,
  displayName,
});

/** By what a user is a member of organizations. */
export interface Belonging {
  /** The directory of the user; undefined without one. */
  readonly directory?: string | undefined;
  /** The providers at which this sign-in is known to have taken place. */
  readonly providers: readonly string[];
  /** The groups that decide about organizations. */
  readonly groups: readonly string[];
}

export interface OrganizationRequest {
  readonly clientId?: string | undefined;
  /** The parameter of the request. */
  readonly organization?: string | undefined;
  /** The choice of the user. */
  readonly chosen?: string | undefined;
}

/** `none`: organizations do not matter to this sign-in. */
export type OrganizationChoice =
  | { readonly state: 'none' }
  | { readonly state: 'one'; readonly organization: OrganizationOptions }
  | { readonly state: 'several'; readonly organizations: readonly OrganizationOptions[] }
  | { readonly state: 'not_member' };

/** The organizations for which users of the client can sign in: those that list the client, or all if none does. */
export const organizationsFor = (
  organizations: readonly OrganizationOptions[],
  clientId: string | undefined,
): { readonly organizations: readonly OrganizationOptions[]; readonly isFixed: boolean } => {
  const own = clientId === undefined ? [] : organizations.filter(({ clients }) => clients.includes(clientId));
  return own.length > 0 ? { organizations: own, isFixed: true } : { organizations, isFixed: false };
};

/** Whether no member has a password or a passkey here: they sign in with the providers of the organization. */
export const isWithoutPasswords = ({ directories, members }: OrganizationOptions): boolean =>
  directories.length === 0 && members.groups.length === 0;

/** The organization of the request, or else that of the domain of the login name. */
export const organizationOfLogin = (
  organizations: readonly OrganizationOptions[],
  { organization, login }: { readonly organization?: string | undefined; readonly login?: string | undefined },
): OrganizationOptions | undefined => {
  if (organization !== undefined) return organizations.find(({ name }) => name === organization);
  const domain = login === undefined ? undefined : domainOf(login.trim());
  return domain === undefined ? undefined : organizations.find(({ domains }) => domains.includes(domain));
};

/**
 * The directories in which a login name is looked up, and its password is checked. Undefined: all of them.
 *
 * Safe against a customer whose directory would get the passwords of the users of another one, because a directory that only other
 * organizations list is left out. Those that no organization lists, and the accounts database, are not left out: their users may be in
 * groups of the organization.
 */
export const createDirectoriesOf =
  ({ organizations, directories }: Pick<AccountsOptions, 'organizations' | 'directories'>) =>
  (request: { readonly organization?: string | undefined; readonly login: string }): readonly string[] | undefined => {
    const found = organizationOfLogin(organizations, request);
    if (found === undefined) return undefined;
    if (request.organization !== undefined && found.members.groups.length === 0) return found.directories;
    const isOfOthers = (name: string): boolean =>
      !found.directories.includes(name) && organizations.some((other) => other.directories.includes(name));
    return directories.filter(({ kind, name }) => kind === 'sql' || !isOfOthers(name)).map(({ name }) => name);
  };

const hasCommon = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((each) => others.includes(each));

const isMemberBy =
  ({ directory, providers, groups }: Belonging) =>
  (organization: OrganizationOptions): boolean =>
    (directory !== undefined && organization.directories.includes(directory)) ||
    hasCommon(organization.providers, providers) ||
    hasCommon(organization.members.groups, groups);

/** The membership whose policy is the strictest. */
const strictestOf = (memberships: readonly [OrganizationOptions, ...OrganizationOptions[]]): OrganizationOptions => {
  const rank = ({ secondFactors = 'none' }: OrganizationOptions) => policies.indexOf(secondFactors);
  return memberships.reduce((one, other) => (rank(one) < rank(other) ? other : one));
};

/**
 * The organization of a sign-in. A name in the request or the choice of the user is a wish: it is compared with the memberships,
 * and never makes a user a member. The answer for an unknown name is that for a user who is no member.
 */
export const chooseOrganization = (
  all: readonly OrganizationOptions[],
  belonging: Belonging,
  { clientId, organization, chosen }: OrganizationRequest,
): OrganizationChoice => {
  const { organizations, isFixed } = organizationsFor(all, clientId);
  const isMember = isMemberBy(belonging);
  const memberships = organizations.filter(isMember);
  if (clientId === accountPages && (!isFixed || memberships.length > 0)) {
    // The account pages show the whole account of the user. Safe against a member of several organizations who avoids the policy of one,
    // by a request for another, because all memberships are compared, whatever the request names.
    const [first, ...others] = all.filter(isMember);
    return first === undefined ? { state: 'none' } : { state: 'one', organization: strictestOf([first, ...others]) };
  }
  const wanted = organization ?? chosen;
  if (wanted !== undefined) {
    const found = memberships.find(({ name }) => name === wanted);
    return found === undefined ? { state: 'not_member' } : { state: 'one', organization: found };
  }
  const [first, ...others] = memberships;
  if (first === undefined) return { state: isFixed ? 'not_member' : 'none' };
  if (others.length === 0) return { state: 'one', organization: first };
  return { state: 'several', organizations: memberships };
};
