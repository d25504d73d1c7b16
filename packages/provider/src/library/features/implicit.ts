import type { Feature } from './feature.ts';

/**
 * Tokens without a code (OpenID Connect Core, section 3.2). That they are issued once is `oidc/completion.ts`. `token`
 * alone is not offered: nothing in its answer says who it is for, and oidc-provider has it not.
 */
export const implicit: Feature = {
  name: 'implicit',
  create: () => ({ grantTypes: ['implicit'], responseTypes: ['id_token', 'id_token token'] }),
};
