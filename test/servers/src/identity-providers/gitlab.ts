import { createIdentityStandIn, type IdentityStandIn, type RegisteredClient } from './identity-stand-in.ts';
import { openIdRules } from './openid-rules.ts';

/** An instance of GitLab: it sends an `auth_time`, and takes no `max_age`. */
export const createGitLabStandIn = (client: RegisteredClient, issuer = 'https://gitlab.com'): IdentityStandIn =>
  createIdentityStandIn(
    client,
    openIdRules(client, {
      issuer,
      metadataUrl: `${issuer}/.well-known/openid-configuration`,
      endpoints: {
        authorization: `${issuer}/oauth/authorize`,
        token: `${issuer}/oauth/token`,
        keys: `${issuer}/oauth/discovery/keys`,
      },
      parameters: [],
    }),
  );
