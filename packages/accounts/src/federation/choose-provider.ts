import type { ProviderOperations } from '../api/providers.ts';
import type { ProviderOptions } from '../options.ts';
import { domainOf, shownProvider } from './provider.ts';

/** The provider to which the users of a client are sent. */
export const fixedFor = (
  providers: readonly ProviderOptions[],
  clientId: string | undefined,
): ProviderOptions | undefined =>
  clientId === undefined ? undefined : providers.find(({ clients }) => clients.includes(clientId));

/**
 * `providers.list`. The client decides before the hint of the request, and the hint before the domain of the login name. The
 * answer reveals nothing about users.
 */
export const createList =
  (providers: readonly ProviderOptions[]): ProviderOperations['list'] =>
  async ({ clientId, hint, login }) => {
    const domain = login === undefined ? undefined : domainOf(login.trim());
    const only =
      fixedFor(providers, clientId) ??
      providers.find(({ name }) => name === hint) ??
      (domain === undefined ? undefined : providers.find(({ domains }) => domains.includes(domain)));
    return { providers: providers.map(shownProvider), ...(only !== undefined && { only: only.name }) };
  };
