import { notSupported } from '../accounts-error.ts';
import type { AccountsDependencies } from '../dependencies.ts';
import type { AccountsFederation } from '../federation/port.ts';
import type { ConfiguredProvider } from '../federation/provider.ts';
import type { AccountsOptions, ProviderOptions } from '../options.ts';

/** A program that only manages users sends no requests to providers. */
const sendsNothing = async (): Promise<never> => {
  throw notSupported('Sign-in with other providers', 'Pass sendToProvider.');
};

/** Opens the providers. Their package is loaded only if there is one, and no request is sent. */
export const openProviders = async (
  { providers }: Pick<AccountsOptions, 'providers'>,
  { load, now, sendToProvider: send = sendsNothing }: Pick<AccountsDependencies, 'load' | 'now' | 'sendToProvider'>,
): Promise<readonly ConfiguredProvider[]> => {
  if (providers.length === 0) return [];
  const federation = (await load('@carnet/accounts-federation')) as AccountsFederation<ProviderOptions>;
  return Promise.all(
    providers.map(async (options) => ({
      options,
      upstream: await federation.openOidcProvider(options, { send, now }),
    })),
  );
};
