import type { Feature } from './feature.ts';

/**
 * Tokens without a code (OpenID Connect Core, section 3.2). A claim in `interaction/completion.ts` ensures that they
 * are issued once. The response type `token` alone is not offered: its response does not name the client that the token
 * was issued to, and oidc-provider does not support it.
 */
export const implicit: Feature = {
  name: 'implicit',
  create: () => ({ grantTypes: ['implicit'], responseTypes: ['id_token', 'id_token token'] }),
};
