import type { Feature } from './feature.ts';

/** A code, and tokens beside it at once (OpenID Connect Core, section 3.3). A client needs both grant types for it. */
export const hybrid: Feature = {
  name: 'hybrid',
  create: ({ options }) => ({
    grantTypes: ['implicit'],
    // FAPI 1.0 Advanced, section 5.2.2, 2, allows no other.
    responseTypes: [
      'code id_token',
      ...(options.features.fapi.profile === '1.0 Final' ? [] : (['code token', 'code id_token token'] as const)),
    ],
  }),
};
