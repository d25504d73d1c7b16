import type { AccountsConfig } from '../options.ts';
import { type AccountsRule, isBrokerOnly, rule } from './rule.ts';

type Organizations = AccountsConfig['organizations'];
type Organization = Organizations[number];

type ProblemOf = (organization: Organization, earlier: Organizations, accounts: AccountsConfig) => string | false;

/** The first problem of each organization that has one. */
const eachOrganization = (problemOf: ProblemOf): AccountsRule =>
  rule('organizations', (accounts) => {
    const problems = accounts.organizations.flatMap((organization, index, all) => {
      const problem = problemOf(organization, all.slice(0, index), accounts);
      return problem === false ? [] : [`organization ${organization.name}: ${problem}`];
    });
    return problems.length > 0 && problems.join(' ');
  });

const unknownIn =
  (member: 'directories' | 'providers', what: string): ProblemOf =>
  (organization, _earlier, accounts) => {
    const names = new Set(accounts[member].map(({ name }) => name));
    const unknown = organization[member].filter((name) => !names.has(name));
    return unknown.length > 0 && `there is no ${what} ${unknown.join(', ')}. Add it to accounts.${member}.`;
  };

const domainProblem: ProblemOf = ({ domains, providers }, earlier, accounts) => {
  const repeated = domains.find((domain) => earlier.some((other) => other.domains.includes(domain)));
  if (repeated !== undefined)
    return `${repeated} is in the domains of another organization. A domain can belong to one only.`;
  const foreign = accounts.providers.find(
    ({ name, domains: own }) => !providers.includes(name) && own.some((domain) => domains.includes(domain)),
  );
  return (
    foreign !== undefined &&
    `its domains are also those of the provider ${foreign.name}, which is not one of its providers. Add it, or remove the domain.`
  );
};

/**
 * Safe against a user of one organization, or of none, who becomes a member of another by an account in the database that both
 * share, because the start fails while other users can be created in a directory whose users are all members.
 */
const sharedDatabaseProblem: ProblemOf = ({ directories, providers }, _earlier, accounts) => {
  const sql = accounts.directories.find(({ kind, name }) => kind === 'sql' && directories.includes(name));
  if (sql === undefined) return false;
  const remedy = `Remove ${sql.name} from its directories, and list a group in members.groups.`;
  if (accounts.signUp.enabled)
    return `everybody can sign up (accounts.signUp.enabled), and would be a member. ${remedy}`;
  if (accounts.scim.enabled)
    return `SCIM clients (accounts.scim.enabled) create users in the directory ${sql.name}, who would be members. ${remedy}`;
  const creators = accounts.providers.filter(({ name, signUp }) => signUp !== 'off' && !providers.includes(name));
  const [creator] = creators;
  return (
    creator !== undefined &&
    `the provider ${creator.name} creates users in the directory ${sql.name}, who would be members. Set its signUp to off, or: ${remedy}`
  );
};

const brokerProblem: ProblemOf = ({ providers, members }, earlier, accounts) => {
  if (!isBrokerOnly(accounts)) return false;
  if (members.groups.length > 0) return 'members.groups needs users in a directory. Without one, the provider decides.';
  const shared = providers.find((name) => earlier.some((other) => other.providers.includes(name)));
  return (
    shared !== undefined &&
    `the provider ${shared} is one of another organization. Without directories, a provider belongs to one organization.`
  );
};

/** The rules of `accounts.organizations`. */
export const organizationRules: readonly AccountsRule[] = [
  eachOrganization(
    ({ name }, earlier) =>
      earlier.some((other) => other.name === name) && 'another organization has this name. Give each its own.',
  ),
  eachOrganization(unknownIn('directories', 'directory')),
  eachOrganization(unknownIn('providers', 'provider')),
  eachOrganization(
    ({ directories, providers, members }) =>
      directories.length + providers.length + members.groups.length === 0 &&
      'it has no members. Set directories, providers or members.groups.',
  ),
  eachOrganization(domainProblem),
  eachOrganization(sharedDatabaseProblem),
  eachOrganization(brokerProblem),
  eachOrganization(
    ({ brand: { logo } }) =>
      logo !== undefined &&
      !/^https:/i.test(logo) &&
      'brand.logo must be https, because browsers load it on the sign-in page.',
  ),
];

/** Settings of `accounts.organizations` that work, but deserve a warning. */
export const organizationCautions: readonly AccountsRule[] = [
  eachOrganization(
    ({ members }, _earlier, { organizations, scim }) =>
      scim.enabled &&
      organizations.length > 1 &&
      members.groups.length > 0 &&
      'SCIM clients (accounts.scim.enabled) can put users into each group of members.groups: give SCIM tokens only to clients that all organizations trust.',
  ),
  eachOrganization(({ directories, domains }, _earlier, accounts) => {
    const open = accounts.directories.find(
      ({ name, kind, realms }) => kind !== 'sql' && realms.length === 0 && directories.includes(name),
    );
    return (
      open !== undefined &&
      domains.length === 0 &&
      accounts.directories.length > 1 &&
      `its directory ${open.name} gets the passwords of users of others, whose login names have no domain of an organization. Set its domains and those of the other organizations, or realms of the directory.`
    );
  }),
];
