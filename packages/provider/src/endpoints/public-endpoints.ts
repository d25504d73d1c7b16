import { deviceVerificationPath } from '../flow/urls.ts';
import { jsonContentType } from '../http/response.ts';
import type { HttpResponse } from '../http/types.ts';
import { jwksMaxAgeSeconds } from '../keys/rotation/schedule.ts';
import {
  backchannelAuthenticationPath,
  deviceAuthorizationPath,
  documentPaths,
  parPath,
  routes,
} from '../library/paths.ts';
import { createAuthorizationEndpoint } from './authorization/authorization.ts';
import { createOpenRequest } from './authorization/open-request.ts';
import { createValidate } from './authorization/validate.ts';
import { createBackchannelAuthenticationEndpoint } from './backchannel-authentication.ts';
import { createClientEndpoints } from './client-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { createDeviceAuthorizationEndpoint, createDeviceVerificationEndpoint } from './device.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { createLogoutEndpoint } from './logout.ts';
import { createPushedRequestEndpoint } from './pushed-request.ts';
import { createRevocationEndpoint } from './revocation.ts';
import { createTokenEndpoint } from './token.ts';
import { createUserinfoEndpoint } from './userinfo.ts';

/** A document is the same for all callers while the keys do not change: it is rendered once. */
const documentEndpoint = (document: object, headers: HttpResponse['headers']): PublicEndpoint => {
  const response = { status: 200, headers, body: JSON.stringify(document) };
  return () => response;
};

/** The public endpoints by path: documents, those that browsers visit, and those at which clients authenticate. */
export const publicEndpoints = (given: EndpointDependencies): Readonly<Record<string, PublicEndpoint>> => {
  const { device, ciba, par } = given.options.features;
  const { metadata, publicKeys } = given.documents;
  const deps = { ...given, openRequest: createOpenRequest(given), validator: createValidate(given) };
  const forClients = createClientEndpoints(deps);
  const metadataEndpoint = documentEndpoint(metadata, { 'Content-Type': jsonContentType });
  return {
    ...Object.fromEntries([...documentPaths].map((path) => [path, metadataEndpoint])),
    [routes.jwks]: documentEndpoint(publicKeys, {
      'Content-Type': 'application/jwk-set+json; charset=utf-8',
      // Public keys may be cached, but not longer than a new key waits before it signs.
      'Cache-Control': `public, max-age=${jwksMaxAgeSeconds}`,
    }),
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
