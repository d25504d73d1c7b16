import type { Feature } from './feature.ts';

/** Authorization responses as JWTs (JARM): `response_mode` jwt, query.jwt, fragment.jwt and form_post.jwt. */
export const jarm: Feature = {
  name: 'jarm',
  clientFields: { authorization_signed_response_alg: Boolean },
  create: ({ options }) => ({
    upstream: { jwtResponseModes: { enabled: true } },
    configuration: {
      enabledJWA: { authorizationSigningAlgValues: ['RS256', 'ES256', 'EdDSA'] },
      clientDefaults: { authorization_signed_response_alg: options.idTokenAlg },
    },
    clientMetadata: ({ authorization_signed_response_alg }) => ({ authorization_signed_response_alg }),
  }),
};
