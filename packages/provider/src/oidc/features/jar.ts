import { checkRequestObject } from '../request-objects.ts';
import type { Feature } from './feature.ts';

/** Request objects by value (RFC 9101): the `request` parameter, signed by the client. */
export const jar: Feature = {
  name: 'jar',
  clientFields: { request_object_signing_alg: Boolean, require_signed_request_object: Boolean },
  create: ({ options }) => ({
    upstream: {
      requestObjects: {
        enabled: true,
        requireSignedRequestObject: options.features.jar.required,
        assertJwtClaimsAndHeader: checkRequestObject,
      },
    },
    clientMetadata: ({ request_object_signing_alg, require_signed_request_object }) => ({
      request_object_signing_alg,
      require_signed_request_object,
    }),
  }),
};
