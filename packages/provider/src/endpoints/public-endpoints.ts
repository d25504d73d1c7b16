import { deviceVerificationPath } from '../flow/urls.ts';
import { backchannelAuthenticationPath, deviceAuthorizationPath, parPath, routes } from '../library/paths.ts';
import { createAuthorizationEndpoint } from './authorization/authorization.ts';
import { createOpenRequest } from './authorization/open-request.ts';
import { createValidate } from './authorization/validate.ts';
import { createBackchannelAuthenticationEndpoint } from './backchannel-authentication.ts';
import { createClientEndpoints } from './client-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { createDeviceAuthorizationEndpoint, createDeviceVerificationEndpoint } from './device.ts';
import { documentEndpoints } from './documents.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { createLogoutEndpoint } from './logout/logout.ts';
import { createPushedRequestEndpoint } from './pushed-request.ts';
import { createRevocationEndpoint } from './revocation.ts';
import { createTokenEndpoint } from './token.ts';
import { createUserinfoEndpoint } from './userinfo.ts';

/** The public endpoints by path: documents, those that browsers visit, and those at which clients authenticate. */
export const publicEndpoints = (given: EndpointDependencies): Readonly<Record<string, PublicEndpoint>> => {
  const { device, ciba, par } = given.options.features;
  const deps = { ...given, openRequest: createOpenRequest(given), validator: createValidate(given) };
  const forClients = createClientEndpoints(deps);
  return {
    ...documentEndpoints(deps),
    [routes.userinfo]: createUserinfoEndpoint(deps),
    [routes.authorization]: createAuthorizationEndpoint(deps),
    [routes.end_session]: createLogoutEndpoint(deps),
    [routes.token]: forClients('token', createTokenEndpoint(deps)),
    [routes.revocation]: forClients('revocation', createRevocationEndpoint(deps)),
    ...(device.enabled && {
      [deviceVerificationPath]: createDeviceVerificationEndpoint(deps),
      [deviceAuthorizationPath]: forClients('device_authorization', createDeviceAuthorizationEndpoint(deps)),
    }),
    ...(ciba.enabled && {
      [backchannelAuthenticationPath]: forClients(
        'backchannel_authentication',
        createBackchannelAuthenticationEndpoint(deps),
      ),
    }),
    ...(par.enabled && { [parPath]: forClients('pushed_authorization_request', createPushedRequestEndpoint(deps)) }),
  };
};
