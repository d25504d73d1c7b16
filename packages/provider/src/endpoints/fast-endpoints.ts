import type { ScopeMatch } from '../clients/scope-match.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import type { FindClient } from '../library/find-client.ts';
import { routes } from '../library/paths.ts';
import { createAuthenticateClient } from './authenticate-client.ts';
import { type AuthorizationDependencies, createAuthorizationEndpoint } from './authorization.ts';
import type { LibraryHandler } from './documents.ts';
import { documentEndpoints } from './documents.ts';
import type { FastEndpoint } from './fast-endpoint.ts';
import { createTokenEndpoint, type TokenEndpointDependencies } from './token.ts';
import { createUserinfoEndpoint, type UserinfoParts } from './userinfo.ts';

export interface FastEndpointParts extends Pick<TokenEndpointDependencies, 'grants' | 'proveKeys' | 'proofContext'> {
  readonly findClient: FindClient;
  readonly libraryHandler: LibraryHandler;
  readonly redemptions: Redemptions;
  readonly scopeMatch: ScopeMatch;
  readonly engine: FlowEngine;
  readonly findActiveToken: UserinfoParts['findActiveToken'];
  readonly userinfoClaims: UserinfoParts['userinfoClaims'];
  readonly clientOf: UserinfoParts['clientOf'];
}

/** The dependencies that the composition root has. */
export interface FastEndpointDependencies
  extends Omit<AuthorizationDependencies, keyof FastEndpointParts>,
    Pick<TokenEndpointDependencies, 'undoneBy' | 'logger'>,
    Pick<UserinfoParts, 'now'> {
  readonly options: AuthorizationDependencies['options'] & {
    /** Whether requests are answered on the fast path. */
    readonly fastPath: boolean;
    readonly features: Pick<FeaturesConfig, 'fapi'>;
  };
  readonly secrets: Pick<SecretVerifier, 'isProven'>;
}

type Endpoints = Readonly<Record<string, FastEndpoint>>;

/** Empty in FAPI mode, which refuses requests that the fast path would accept. */
const tokenEndpoint = (deps: FastEndpointDependencies, parts: FastEndpointParts): Endpoints => {
  if (deps.options.features.fapi.enabled) return {};
  const { adapter } = deps;
  const authenticate = createAuthenticateClient({ ...parts, secrets: deps.secrets });
  const access = { read: adapter.read, commit: adapter.commit, gathered: () => [] };
  return { [`POST ${routes.token}`]: createTokenEndpoint({ ...deps, ...parts, authenticate, access }) };
};

/** Empty in FAPI mode, which refuses requests that the fast path would accept. */
const authorizationEndpoint = (deps: FastEndpointDependencies, parts: FastEndpointParts): Endpoints => {
  if (deps.options.features.fapi.enabled) return {};
  const endpoint = createAuthorizationEndpoint({ ...deps, ...parts });
  return { [`GET ${routes.authorization}`]: endpoint, [`POST ${routes.authorization}`]: endpoint };
};

/** Empty in FAPI mode, which refuses requests that the fast path would accept. */
const userinfoEndpoint = (deps: FastEndpointDependencies, parts: FastEndpointParts): Endpoints =>
  deps.options.features.fapi.enabled
    ? {}
    : { [`GET ${routes.userinfo}`]: createUserinfoEndpoint({ ...deps, ...parts }) };

/** The endpoints of the fast path, by method and path. */
export const createFastEndpoints = (
  deps: FastEndpointDependencies,
  parts: FastEndpointParts,
): ReadonlyMap<string, FastEndpoint> =>
  new Map(
    deps.options.fastPath
      ? Object.entries({
          ...tokenEndpoint(deps, parts),
          ...authorizationEndpoint(deps, parts),
          ...userinfoEndpoint(deps, parts),
          ...documentEndpoints(parts.libraryHandler),
        })
      : [],
  );
