import type { ShownProvider } from '@carnet/accounts/client';
import { requestParameter } from '../api/request-parameter.ts';
import type { Open } from '../page/flow.ts';

/**
 * The providers of the sign-in page. `only`: the sign-in continues there at once, because of the client, of `idp_hint` in its
 * request, or of the domain of the login name.
 */
export const offeredProviders = ({ services, asked, organization }: Open<'login'>, login?: string) =>
  services.accounts.providers.list({
    clientId: asked.client.client_id,
    organization,
    login: login || undefined,
    hint: requestParameter(asked, 'idp_hint')?.slice(0, 256),
  });

/** The provider of a sign-in as pages show it. */
export const shownProviderOf = async ({ services, asked }: Open<'login'>, name: string): Promise<ShownProvider> => {
  const { providers } = await services.accounts.providers.list({ clientId: asked.client.client_id });
  return providers.find((provider) => provider.name === name) ?? { name, label: name };
};
