import { pushedRequestModel } from '../models/pushed-request-model.ts';
import { parPath } from '../paths.ts';
import type { Feature } from './feature.ts';

/** Pushed authorization requests (RFC 9126). */
export const par: Feature = {
  name: 'par',
  clientFields: { require_pushed_authorization_requests: Boolean },
  create: ({ options, modelOptions }) => ({
    upstream: {
      pushedAuthorizationRequests: {
        enabled: true,
        requirePushedAuthorizationRequests: options.features.par.required || options.features.fapi.profile === '2.0',
        allowUnregisteredRedirectUris: false,
      },
    },
    models: { PushedAuthorizationRequest: pushedRequestModel(modelOptions) },
    endpoints: { pushed_authorization_request: { path: parPath, methods: ['POST', 'OPTIONS'] } },
    clientMetadata: ({ require_pushed_authorization_requests }) => ({ require_pushed_authorization_requests }),
  }),
};
