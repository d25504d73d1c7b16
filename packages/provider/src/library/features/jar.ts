import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { hasKeys } from '../../clients/parse-client.ts';
import { createRequestObjectCheck } from '../request-objects.ts';
import type { Feature } from './feature.ts';

const isSigning = (alg: unknown, metadata: RegisteredMetadata): boolean => alg !== 'none' && hasKeys(metadata);

/**
 * The algorithm that oidc-provider enforces for a client. oidc-provider requires keys from each client with an
 * algorithm, and Hydra's command line sends one for every client. Safe to leave out without keys, because no signature
 * of such a client verifies. `none` is left out because `createRequestObjectCheck` enforces it. A client that must sign
 * its requests keeps its registered value, so that oidc-provider refuses the client without keys or with `none`.
 */
const enforcedAlgorithm = (metadata: RegisteredMetadata): string | undefined => {
  const { request_object_signing_alg: alg, require_signed_request_object: isRequired } = metadata;
  return isRequired === true || isSigning(alg, metadata) ? alg : undefined;
};

/** Request objects (RFC 9101), signed by the client: in the parameter `request`, or at the URL in `request_uri`. */
export const jar: Feature = {
  name: 'jar',
  clientFields: {
    request_object_signing_alg: isSigning,
    require_signed_request_object: Boolean,
    backchannel_authentication_request_signing_alg: Boolean,
  },
  create: ({ options, now }) => ({
    upstream: {
      requestObjects: {
        enabled: true,
        // FAPI 1.0 Advanced, section 5.2.2, 1.
        requireSignedRequestObject: options.features.jar.required || options.features.fapi.profile === '1.0 Final',
        assertJwtClaimsAndHeader: createRequestObjectCheck(now),
      },
    },
    clientMetadata: (metadata) => ({
      request_object_signing_alg: enforcedAlgorithm(metadata),
      require_signed_request_object: metadata.require_signed_request_object,
    }),
  }),
};
