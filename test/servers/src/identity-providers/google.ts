import { createIdentityStandIn, type IdentityStandIn, type RegisteredClient } from './identity-stand-in.ts';
import { openIdRules } from './openid-rules.ts';

/** Google: neither `max_age` nor `iss` of RFC 9207, and `hd` for organisations. */
export const createGoogleStandIn = (client: RegisteredClient): IdentityStandIn =>
  createIdentityStandIn(
    client,
    openIdRules(client, {
      issuer: 'https://accounts.google.com',
      metadataUrl: 'https://accounts.google.com/.well-known/openid-configuration',
      endpoints: {
        authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
        token: 'https://oauth2.googleapis.com/token',
        keys: 'https://www.googleapis.com/oauth2/v3/certs',
      },
      parameters: ['hd', 'access_type'],
      answerParameters: { scope: 'email profile openid', authuser: '0', prompt: 'consent' },
    }),
  );
