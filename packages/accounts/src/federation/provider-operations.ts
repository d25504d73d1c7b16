import type { ProviderOperations } from '../api/providers.ts';
import type { AccountsOptions } from '../options.ts';
import { createBroker } from './broker.ts';
import { withoutProviders } from './off.ts';
import { createFederation, type FederationDependencies } from './open-federation.ts';

interface ProviderParts extends Omit<FederationDependencies, 'options' | 'database' | 'links'> {
  readonly options: Pick<AccountsOptions, 'linkOrigins' | 'directories' | 'organizations'>;
  readonly database: FederationDependencies['database'] | undefined;
  readonly links: FederationDependencies['links'] | undefined;
}

/** Sign-in with the configured providers: with users of Carnet, or without directories as a broker. */
export const createProviderOperations = (parts: ProviderParts): ProviderOperations => {
  const { options, database, providers, links } = parts;
  if (providers.length === 0) return withoutProviders;
  if (options.directories.length === 0) return createBroker(parts);
  return database === undefined || links === undefined
    ? withoutProviders
    : createFederation({ ...parts, database, links });
};
