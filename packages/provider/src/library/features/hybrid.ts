import type { Feature } from './feature.ts';

/** A code, and tokens beside it at once (OpenID Connect Core, section 3.3). A client needs both grant types for it. */
export const hybrid: Feature = {
  name: 'hybrid',
  create: () => ({
    grantTypes: ['implicit'],
    responseTypes: ['code id_token', 'code token', 'code id_token token'],
  }),
};
