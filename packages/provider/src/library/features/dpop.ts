import type { Feature } from './feature.ts';

/** Tokens bound to a key of the client (RFC 9449). `models/replay-model.ts` ensures the single use of proofs. */
export const dpop: Feature = {
  name: 'dpop',
  clientFields: { dpop_bound_access_tokens: Boolean },
  create: ({ options, keyRing }) => ({
    upstream: {
      dPoP: {
        enabled: true,
        // Nonces are derived from it and the minute (section 8): any process knows those of the others, none is stored.
        ...(options.features.dpop.requireNonce
          ? { requireNonce: () => true, nonceSecret: Buffer.from(keyRing.mac('dpop_nonce', 'secret'), 'base64url') }
          : {}),
      },
    },
    clientMetadata: ({ dpop_bound_access_tokens }) => ({ dpop_bound_access_tokens }),
  }),
};
