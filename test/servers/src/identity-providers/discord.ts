import { createIdentityStandIn, type IdentityStandIn, type RegisteredClient } from './identity-stand-in.ts';

/** Discord: OAuth 2.0 without ID tokens. `verified` is about the address. */
export const createDiscordStandIn = (client: RegisteredClient): IdentityStandIn =>
  createIdentityStandIn(client, {
    authorizationEndpoint: 'https://discord.com/oauth2/authorize',
    tokenEndpoint: 'https://discord.com/api/oauth2/token',
    parameters: [
      ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state'],
      ...['code_challenge', 'code_challenge_method'],
    ],
    authentication: ['basic', 'post'],
    errorStatus: 400,
    answerParameters: {},
    tokenMembers: () => ({ expires_in: 604_800, scope: 'identify email' }),
    resource: ({ url, headers }, grants) => {
      const { authorization } = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      if (url !== 'https://discord.com/api/users/@me') return undefined;
      return grants.get(authorization?.replace(/^Bearer /i, '') ?? '')?.user;
    },
  });
