import { deviceVerificationPath } from '../flow/urls.ts';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import { routes } from '../library/paths.ts';
import { type AuthorizationDependencies, createAuthorizationEndpoint } from './authorization/authorization.ts';
import { createDeviceVerificationEndpoint, type DeviceVerificationDependencies } from './device-verification.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { createLogoutEndpoint, type LogoutDependencies } from './logout/logout.ts';

export type BrowserEndpointsDependencies = AuthorizationDependencies &
  LogoutDependencies &
  DeviceVerificationDependencies & {
    readonly options: { readonly features: Pick<FeaturesConfig, 'device'> };
    readonly engine: FlowEngine;
  };

/** The endpoints that browsers visit, by path. */
export const browserEndpoints = (deps: BrowserEndpointsDependencies): Readonly<Record<string, PublicEndpoint>> => ({
  [routes.authorization]: createAuthorizationEndpoint(deps),
  [routes.end_session]: createLogoutEndpoint(deps),
  ...(deps.options.features.device.enabled && { [deviceVerificationPath]: createDeviceVerificationEndpoint(deps) }),
});
