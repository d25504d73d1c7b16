import type { ScopeMatch } from '../clients/scope-match.ts';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import type { FindClient } from '../library/find-client.ts';
import { routes } from '../library/paths.ts';
import { type AuthorizationDependencies, createAuthorizationEndpoint } from './authorization.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { createUserinfoEndpoint, type UserinfoParts } from './userinfo.ts';

export interface FastEndpointParts {
  readonly findClient: FindClient;
  readonly scopeMatch: ScopeMatch;
  readonly engine: FlowEngine;
  readonly findActiveToken: UserinfoParts['findActiveToken'];
  readonly userinfoClaims: UserinfoParts['userinfoClaims'];
  readonly clientOf: UserinfoParts['clientOf'];
}

/** The dependencies that the composition root has. */
export interface FastEndpointDependencies
  extends Omit<AuthorizationDependencies, keyof FastEndpointParts>,
    Pick<UserinfoParts, 'now'> {
  readonly options: AuthorizationDependencies['options'] & {
    /** Whether requests are answered on the fast path. */
    readonly fastPath: boolean;
    readonly features: Pick<FeaturesConfig, 'fapi'>;
  };
}

/** The endpoints of the fast path, by path. Empty in FAPI mode, which refuses requests that the fast path would accept. */
export const createFastEndpoints = (
  deps: FastEndpointDependencies,
  parts: FastEndpointParts,
): Readonly<Record<string, PublicEndpoint>> => {
  const { options } = deps;
  if (!options.fastPath || options.features.fapi.enabled) return {};
  return {
    [routes.authorization]: createAuthorizationEndpoint({ ...deps, ...parts }),
    [routes.userinfo]: createUserinfoEndpoint({ ...deps, ...parts }),
  };
};
