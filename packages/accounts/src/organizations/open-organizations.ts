import type { Accounts } from '../api/accounts.ts';
import type { Circumstances } from '../api/sign-in.ts';
import type { Directories } from '../directory/index.ts';
import { type AccountsOptions, organizationPolicies, sufficientAcrsOf } from '../options.ts';
import { type Current, isBarred } from '../sign-in/sign-in-machine.ts';
import { type BelongingDependencies, belongingOfSession, belongingOfSignIn } from './belonging.ts';
import {
  chooseOrganization,
  type OrganizationChoice,
  organizationsFor,
  shownOrganization,
} from './choose-organization.ts';

export interface OrganizationDependencies extends Omit<BelongingDependencies, 'organizations'> {
  readonly options: Pick<AccountsOptions, 'organizations' | 'secondFactors'>;
  readonly directories: Pick<Directories, 'load'>;
}

const createOfUser = (
  dependencies: OrganizationDependencies,
  belonging: BelongingDependencies,
): Accounts['organizations']['ofUser'] => {
  const { options, directories } = dependencies;
  const sufficient = sufficientAcrsOf(options, organizationPolicies(options));
  return async ({ subject, acr = '', provider, ...request }) => {
    if (options.organizations.length === 0) return { state: 'done' };
    const account = await directories.load(subject);
    if (account === undefined || isBarred(account)) return { state: 'sign_in' };
    const choice = chooseOrganization(
      options.organizations,
      await belongingOfSession(belonging, account, provider),
      request,
    );
    if (choice.state === 'none') return { state: 'done' };
    if (choice.state === 'not_member') return { state: 'sign_in' };
    if (choice.state === 'several')
      return { state: 'choose_organization', organizations: choice.organizations.map(shownOrganization) };
    const { name } = choice.organization;
    return sufficient.get(name)?.includes(acr) === false ? { state: 'sign_in' } : { state: 'done', organization: name };
  };
};

/** The operations of organizations, and the check of each sign-in. */
export const createOrganizations = (
  dependencies: OrganizationDependencies,
): {
  readonly operations: Accounts['organizations'];
  readonly organizationOf: (current: Current, circumstances: Circumstances) => Promise<OrganizationChoice>;
} => {
  const { organizations } = dependencies.options;
  const belonging = { ...dependencies, organizations };
  return {
    organizationOf: async (current, circumstances) =>
      organizations.length === 0
        ? { state: 'none' }
        : chooseOrganization(organizations, await belongingOfSignIn(belonging, current, circumstances), {
            ...circumstances,
            chosen: current.progress.organization,
          }),
    operations: {
      find: async ({ organization, clientId }) => {
        const found = organizationsFor(organizations, clientId).organizations.find(({ name }) => name === organization);
        return found && { ...shownOrganization(found), brand: found.brand };
      },
      ofUser: createOfUser(dependencies, belonging),
    },
  };
};
