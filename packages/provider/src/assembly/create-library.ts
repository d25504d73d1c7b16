import { Provider } from 'oidc-provider';
import { createAsk } from '../library/ask.ts';
import { adoptClients } from '../library/clients.ts';
import { createConfiguration } from '../library/configuration.ts';
import { documentsOf } from '../library/documents.ts';
import { composeFeatures } from '../library/features/index.ts';
import { createPaths } from '../library/paths.ts';
import { createProveKeys } from '../library/proven-keys.ts';
import type { OidcDependencies } from './oidc-dependencies.ts';

/** oidc-provider, and what it is asked. It serves no request. */
export const createLibrary = (deps: OidcDependencies, grantTypes: readonly string[]) => {
  const { options } = deps;
  const features = composeFeatures(deps);
  const paths = createPaths(features.endpoints);
  const provider = new Provider(options.issuer, createConfiguration(deps, paths, features));
  // Announced in discovery, and accepted as metadata of clients.
  for (const name of grantTypes) provider.registerGrantType(name, () => {}, []);
  const clients = adoptClients(provider, deps, features);
  const documents = documentsOf(provider, options);
  const { proofAlgorithms } = documents;
  return {
    paths,
    clients,
    responseTypes: features.responseTypes,
    ask: createAsk(provider, clients, deps),
    proveKeys: createProveKeys({ ...deps, proofAlgorithms }),
    documents,
    proofAlgorithms,
  };
};

export type Library = ReturnType<typeof createLibrary>;
