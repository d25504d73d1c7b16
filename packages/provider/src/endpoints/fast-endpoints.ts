import type { ScopeMatch } from '../clients/scope-match.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { routes } from '../library/paths.ts';
import { createAuthenticateClient } from './authenticate-client.ts';
import { createAuthorizationEndpoint } from './authorization.ts';
import { documentEndpoints } from './documents.ts';
import type { LeanEndpoint } from './fast-endpoint.ts';
import type { FindClient } from './find-client.ts';
import type { Reference } from './render-document.ts';
import { createTokenEndpoint, type TokenEndpointDependencies } from './token.ts';
import { createUserinfoEndpoint, type UserinfoParts } from './userinfo.ts';

export interface LeanParts extends Pick<TokenEndpointDependencies, 'grants' | 'proveKeys' | 'proofContext'> {
  readonly findClient: FindClient;
  readonly reference: Reference;
  readonly redemptions: Redemptions;
  readonly scopeMatch: ScopeMatch;
  readonly engine: FlowEngine;
  readonly findActiveToken: UserinfoParts['findActiveToken'];
  readonly userinfoClaims: UserinfoParts['userinfoClaims'];
  readonly clientOf: UserinfoParts['clientOf'];
}

type Endpoints = Readonly<Record<string, LeanEndpoint>>;

/** None if a profile refuses requests that the fast path would accept. */
const tokenEndpoint = (deps: OidcDependencies, parts: LeanParts): Endpoints => {
  if (deps.options.features.fapi.enabled) return {};
  const { adapter } = deps;
  const authenticate = createAuthenticateClient({ ...parts, secrets: deps.secrets });
  const access = { read: adapter.read, commit: adapter.commit, gathered: () => [] };
  return { [`POST ${routes.token}`]: createTokenEndpoint({ ...deps, ...parts, authenticate, access }) };
};

/** None if a profile refuses requests that the fast path would accept. */
const authorizationEndpoint = (deps: OidcDependencies, parts: LeanParts): Endpoints => {
  if (deps.options.features.fapi.enabled) return {};
  const endpoint = createAuthorizationEndpoint({ ...deps, ...parts });
  return { [`GET ${routes.authorization}`]: endpoint, [`POST ${routes.authorization}`]: endpoint };
};

/** None if a profile refuses requests that the fast path would accept. */
const userinfoEndpoint = (deps: OidcDependencies, parts: LeanParts): Endpoints =>
  deps.options.features.fapi.enabled
    ? {}
    : { [`GET ${routes.userinfo}`]: createUserinfoEndpoint({ ...deps, ...parts }) };

/** The endpoints of the fast path, by method and path. */
export const leanEndpoints = (deps: OidcDependencies, parts: LeanParts): ReadonlyMap<string, LeanEndpoint> =>
  new Map(
    deps.options.leanEndpoints
      ? Object.entries({
          ...tokenEndpoint(deps, parts),
          ...authorizationEndpoint(deps, parts),
          ...userinfoEndpoint(deps, parts),
          ...documentEndpoints(parts.reference),
        })
      : [],
  );
