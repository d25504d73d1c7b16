import { createRequestByReference } from '../request-by-reference.ts';
import { createRequestObjectCheck } from '../request-objects.ts';
import type { Feature } from './feature.ts';

/** Request objects (RFC 9101), signed by the client: in the parameter `request`, or where `request_uri` says. */
export const jar: Feature = {
  name: 'jar',
  clientFields: { request_object_signing_alg: Boolean, require_signed_request_object: Boolean },
  create: ({ options, clients, outbound, now }) => ({
    upstream: {
      requestObjects: {
        enabled: true,
        requireSignedRequestObject: options.features.jar.required,
        assertJwtClaimsAndHeader: createRequestObjectCheck(now),
      },
    },
    ...(options.features.jar.byReference ? { middleware: createRequestByReference({ clients, outbound }) } : {}),
    clientMetadata: ({ request_object_signing_alg, require_signed_request_object }) => ({
      request_object_signing_alg,
      require_signed_request_object,
    }),
  }),
};
