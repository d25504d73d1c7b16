import { AccountsError, notSupported } from '../accounts-error.ts';
import type { AccountsDependencies } from '../dependencies.ts';
import { bindIssuers } from '../federation/bind-issuers.ts';
import type { AccountsFederation } from '../federation/port.ts';
import type { ConfiguredProvider } from '../federation/provider.ts';
import type { AccountsOptions, ProviderOptions } from '../options.ts';
import type { IssuerStore } from '../store/index.ts';

/** A program that only manages users sends no requests to providers. */
const sendsNothing = async (): Promise<never> => {
  throw notSupported('Sign-in with other providers', 'Pass sendToProvider.');
};

/**
 * Opens the providers. Their package is loaded only if there is one, and no request is sent. Each is bound to its issuer.
 *
 * @throws AccountsError `not_supported` with every option that cannot work
 */
export const openProviders = async (
  { providers }: Pick<AccountsOptions, 'providers'>,
  { load, now, sendToProvider: send = sendsNothing }: Pick<AccountsDependencies, 'load' | 'now' | 'sendToProvider'>,
  issuers: IssuerStore | undefined,
): Promise<readonly ConfiguredProvider[]> => {
  if (providers.length === 0) return [];
  const federation = (await load('@carnet/accounts-federation')) as AccountsFederation<ProviderOptions>;
  const opened: ConfiguredProvider[] = [];
  const problems = issuers === undefined ? [] : [...(await bindIssuers(providers, issuers))];
  for (const options of providers) {
    try {
      opened.push({ options, upstream: await federation.openOidcProvider(options, { send, now }) });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      problems.push(`provider ${options.name}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new AccountsError('not_supported', problems.join(' '));
  return opened;
};
