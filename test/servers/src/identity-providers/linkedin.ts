import { createIdentityStandIn, type IdentityStandIn, type RegisteredClient } from './identity-stand-in.ts';
import { openIdRules } from './openid-rules.ts';

/** LinkedIn: no `nonce`, and the secret of the client only in the form. */
export const createLinkedInStandIn = (client: RegisteredClient): IdentityStandIn =>
  createIdentityStandIn(client, {
    ...openIdRules(client, {
      issuer: 'https://www.linkedin.com/oauth',
      metadataUrl: 'https://www.linkedin.com/oauth/.well-known/openid-configuration',
      endpoints: {
        authorization: 'https://www.linkedin.com/oauth/v2/authorization',
        token: 'https://www.linkedin.com/oauth/v2/accessToken',
        keys: 'https://www.linkedin.com/oauth/openid/jwks',
      },
      parameters: [],
      authentication: ['client_secret_post'],
    }),
    parameters: [
      ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state'],
      ...['code_challenge', 'code_challenge_method'],
    ],
    authentication: ['post'],
  });
