import type { RequestStoreOptions } from '../grants/request-store.ts';
import type { Ask } from '../library/ask.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import { backchannelAuthenticationPath, deviceAuthorizationPath, parPath, routes } from '../library/paths.ts';
import type { FindRevocation } from '../tokens/manage-tokens.ts';
import {
  type BackchannelAuthenticationDependencies,
  createBackchannelAuthenticationEndpoint,
} from './backchannel-authentication.ts';
import { type ClientAuthenticationDependencies, createAuthenticateClient } from './client-authentication.ts';
import { type ClientEndpointDependencies, createClientEndpoint } from './client-endpoint.ts';
import { createDeviceAuthorizationEndpoint, type DeviceAuthorizationDependencies } from './device-authorization.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { createPushedRequestEndpoint, type PushedRequestEndpointDependencies } from './pushed-request.ts';
import { createRevocationEndpoint } from './revocation.ts';
import { createTokenEndpoint, type TokenEndpointDependencies } from './token.ts';

export type ClientEndpointsDependencies = Omit<RequestStoreOptions, 'assertions'> &
  TokenEndpointDependencies &
  DeviceAuthorizationDependencies &
  BackchannelAuthenticationDependencies &
  PushedRequestEndpointDependencies &
  Pick<ClientEndpointDependencies, 'isFutureProof'> &
  Pick<ClientAuthenticationDependencies, 'secrets'> & {
    readonly options: { readonly features: FeaturesConfig };
    readonly ask: Ask;
    readonly findRevocation: FindRevocation;
  };

/** The endpoints at which clients authenticate, by path. */
export const clientEndpoints = (deps: ClientEndpointsDependencies): Readonly<Record<string, PublicEndpoint>> => {
  const { options, findRevocation } = deps;
  const { device, ciba, par } = options.features;
  const endpoint = createClientEndpoint({
    ...deps,
    authenticate: createAuthenticateClient({ ...deps, issuer: options.issuer }),
  });
  return {
    [routes.token]: endpoint('token', createTokenEndpoint(deps)),
    [routes.revocation]: endpoint('revocation', createRevocationEndpoint(findRevocation)),
    ...(device.enabled && {
      [deviceAuthorizationPath]: endpoint('device_authorization', createDeviceAuthorizationEndpoint(deps)),
    }),
    ...(ciba.enabled && {
      [backchannelAuthenticationPath]: endpoint(
        'backchannel_authentication',
        createBackchannelAuthenticationEndpoint(deps),
      ),
    }),
    ...(par.enabled && { [parPath]: endpoint('pushed_authorization_request', createPushedRequestEndpoint(deps)) }),
  };
};
