import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { grantTypes } from '../../clients/grant-types.ts';
import { CarnetError, fieldError } from '../../errors.ts';
import { backchannelAuthenticationPath as path } from '../paths.ts';
import type { Feature } from './feature.ts';

/**
 * oidc-provider requires an endpoint. Carnet calls the registered one with the outbound client, which checks its
 * address.
 */
const neverCalled = 'https://never-called.invalid/';

const metadataOf = ({ backchannel_token_delivery_mode: mode = 'poll', ...metadata }: RegisteredMetadata) => ({
  backchannel_token_delivery_mode: mode,
  backchannel_client_notification_endpoint: mode === 'ping' ? neverCalled : undefined,
  backchannel_user_code_parameter: metadata.backchannel_user_code_parameter,
  backchannel_authentication_request_signing_alg: metadata.backchannel_authentication_request_signing_alg,
});

/**
 * Backchannel authentication (OpenID CIBA Core 1.0), poll and ping: `endpoints/backchannel-authentication.ts`. The decision
 * of the user is in `requests/backchannel.ts`.
 */
export const ciba: Feature = {
  clientFields: {
    backchannel_token_delivery_mode: Boolean,
    backchannel_user_code_parameter: Boolean,
    backchannel_authentication_request_signing_alg: Boolean,
  },
  refuse: (metadata) => {
    if (!metadata.grant_types.includes(grantTypes.ciba)) return undefined;
    if (metadata.token_endpoint_auth_method === 'none') {
      const problem = `A client has to authenticate for ${grantTypes.ciba}: choose another token_endpoint_auth_method.`;
      return new CarnetError('invalid_client_metadata', problem, { field: 'token_endpoint_auth_method' });
    }
    const isPinged = metadata.backchannel_token_delivery_mode === 'ping';
    return isPinged && metadata.backchannel_client_notification_endpoint === undefined
      ? fieldError('backchannel_client_notification_endpoint', 'is required for delivery mode ping.')
      : undefined;
  },
  create: () => ({
    upstream: { ciba: { enabled: true, deliveryModes: ['poll', 'ping'] } },
    endpoints: { backchannel_authentication: { path, methods: ['POST'] } },
    grantTypes: [grantTypes.ciba],
    clientMetadata: (metadata) => (metadata.grant_types.includes(grantTypes.ciba) ? metadataOf(metadata) : {}),
  }),
};
