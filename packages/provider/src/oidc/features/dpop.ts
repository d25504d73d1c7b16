import type { Feature } from './feature.ts';

/** Tokens bound to a key of the client (RFC 9449). That a proof counts once is `models/replay-model.ts`. */
export const dpop: Feature = {
  name: 'dpop',
  clientFields: { dpop_bound_access_tokens: Boolean },
  create: () => ({
    upstream: { dPoP: { enabled: true } },
    clientMetadata: ({ dpop_bound_access_tokens }) => ({ dpop_bound_access_tokens }),
  }),
};
