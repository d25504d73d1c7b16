import type { AccessTokenForms } from '../access-token-forms.ts';
import type { ProviderClients } from '../clients.ts';
import type { OidcDependencies } from '../dependencies.ts';
import { hasTokenHooks } from '../hooks/run-hooks.ts';
import { routes } from '../paths.ts';
import { createAuthenticateClient } from './authenticate-client.ts';
import { createClientCredentialsGrant } from './client-credentials.ts';
import { documentEndpoints } from './documents.ts';
import type { LeanEndpoint } from './lean-endpoint.ts';
import type { Reference } from './render-document.ts';
import { createTokenEndpoint } from './token-endpoint.ts';

export interface LeanParts {
  readonly clients: Pick<ProviderClients, 'find'>;
  readonly accessTokenForms: AccessTokenForms;
  readonly reference: Reference;
}

/** None where hooks may change any answer, or where a profile refuses what is plain here. */
const tokenEndpoint = (deps: OidcDependencies, parts: LeanParts): Readonly<Record<string, LeanEndpoint>> => {
  if (hasTokenHooks(deps) || deps.options.features.fapi.enabled) return {};
  const authenticate = createAuthenticateClient({ ...parts, secrets: deps.secrets });
  const grants = { client_credentials: createClientCredentialsGrant(deps, parts.accessTokenForms) };
  return { [`POST ${routes.token}`]: createTokenEndpoint(grants, authenticate) };
};

/** What is answered in front of oidc-provider, by method and path. */
export const leanEndpoints = (deps: OidcDependencies, parts: LeanParts): ReadonlyMap<string, LeanEndpoint> =>
  new Map(
    deps.options.leanEndpoints
      ? Object.entries({ ...tokenEndpoint(deps, parts), ...documentEndpoints(parts.reference) })
      : [],
  );
