import { AccountsError, notSupported } from '../accounts-error.ts';
import type { AccountsDependencies } from '../dependencies.ts';
import { bindIssuers } from '../federation/bind-issuers.ts';
import type { AccountsFederation, AccountsSaml, UpstreamDependencies, UpstreamProvider } from '../federation/port.ts';
import type { ConfiguredProvider } from '../federation/provider.ts';
import type { AccountsOptions, OidcProviderOptions, ProviderOptions, SamlProviderOptions } from '../options.ts';
import type { FactorStore } from '../second-factors/index.ts';
import type { IssuerStore } from '../store/index.ts';

/** A program that only manages users sends no requests to providers. */
const sendsNothing = async (): Promise<never> => {
  throw notSupported('Sign-in with other providers', 'Pass sendToProvider.');
};

/** The package of each kind is loaded by the first provider of the kind. */
const createOpen = (load: AccountsDependencies['load'], dependencies: UpstreamDependencies) => {
  return async (options: ProviderOptions): Promise<UpstreamProvider> => {
    if (options.kind === 'saml') {
      const { openSamlProvider } = (await load('@carnet/accounts-saml')) as AccountsSaml<SamlProviderOptions>;
      return openSamlProvider(options, dependencies);
    }
    const federation = (await load('@carnet/accounts-federation')) as AccountsFederation<OidcProviderOptions>;
    return federation.openOidcProvider(options, dependencies);
  };
};

/**
 * Opens the providers. Their packages are loaded only if there is one of their kind, and no request is sent. Each is bound to its
 * issuer.
 *
 * @throws AccountsError `not_supported` with every option that cannot work
 */
export const openProviders = async (
  { providers }: Pick<AccountsOptions, 'providers'>,
  { load, now, sendToProvider: send = sendsNothing }: Pick<AccountsDependencies, 'load' | 'now' | 'sendToProvider'>,
  database: { readonly factors: Pick<FactorStore, 'claim'>; readonly issuers: IssuerStore } | undefined,
): Promise<readonly ConfiguredProvider[]> => {
  const claim: FactorStore['claim'] = async (id, expiresAt) =>
    database?.factors.claim(`provider:${id}`, expiresAt) ?? false;
  const open = createOpen(load, { send, now, claim });
  const opened: ConfiguredProvider[] = [];
  const problems = database === undefined ? [] : [...(await bindIssuers(providers, database.issuers))];
  for (const options of providers) {
    try {
      opened.push({ options, upstream: await open(options) });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      problems.push(`provider ${options.name}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new AccountsError('not_supported', problems.join(' '));
  return opened;
};
