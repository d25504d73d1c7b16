import type { ProviderOperations } from '../api/providers.ts';
import { normaliseLogin } from '../directory/index.ts';
import type { AccountsOptions, OrganizationOptions, ProviderOptions } from '../options.ts';
import { isWithoutPasswords, organizationOfLogin } from '../organizations/choose-organization.ts';
import { domainOf, shownProvider } from './provider.ts';

/** The provider to which the users of a client are sent. */
export const fixedFor = (
  providers: readonly ProviderOptions[],
  clientId: string | undefined,
): ProviderOptions | undefined =>
  clientId === undefined ? undefined : providers.find(({ clients }) => clients.includes(clientId));

/** The only way to sign in to an organization with one provider. */
const onlyOf = (
  providers: readonly ProviderOptions[],
  organization: OrganizationOptions | undefined,
): ProviderOptions | undefined =>
  providers.length === 1 && organization !== undefined && isWithoutPasswords(organization) ? providers[0] : undefined;

/** Whether the domain of an address is one of a provider, or of an organization whose members all sign in with providers. */
export const createIsOfProvider = ({
  providers,
  organizations,
}: Pick<AccountsOptions, 'providers' | 'organizations'>): ((address: string) => boolean) => {
  const ofProviders = providers.flatMap(({ domains, isAuthorityFor }) => [...domains, ...isAuthorityFor]);
  const ofOrganizations = organizations.filter(isWithoutPasswords).flatMap(({ domains }) => domains);
  const all = new Set([...ofProviders, ...ofOrganizations]);
  return (address) => all.has(domainOf(normaliseLogin(address) ?? '') ?? '');
};

/**
 * `providers.list`. The client decides before the hint of the request, and the hint before the domain of the login name. The
 * organization of the request, or else that of the domain, has its own providers. The answer reveals nothing about users.
 */
export const createList =
  (all: readonly ProviderOptions[], organizations: readonly OrganizationOptions[]): ProviderOperations['list'] =>
  async ({ clientId, organization: name, hint, login }) => {
    const domain = login === undefined ? undefined : domainOf(login.trim());
    const organization = organizationOfLogin(organizations, { organization: name, login });
    const providers =
      organization === undefined || organization.members.groups.length > 0
        ? all
        : all.filter((each) => organization.providers.includes(each.name));
    const only =
      fixedFor(all, clientId) ??
      providers.find((each) => each.name === hint) ??
      (domain === undefined ? undefined : providers.find(({ domains }) => domains.includes(domain))) ??
      onlyOf(providers, organization);
    return {
      providers: providers.map(shownProvider),
      ...(only !== undefined && { only: only.name }),
      ...(organization !== undefined && isWithoutPasswords(organization) && { providersOnly: true }),
    };
  };
