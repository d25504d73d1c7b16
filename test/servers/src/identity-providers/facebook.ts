import { createHmac } from 'node:crypto';
import { createIdentityStandIn, type IdentityStandIn, type RegisteredClient } from './identity-stand-in.ts';

/** Facebook: the Graph API, which requires the proof of the application. Errors are objects. */
export const createFacebookStandIn = (client: RegisteredClient): IdentityStandIn =>
  createIdentityStandIn(client, {
    authorizationEndpoint: 'https://www.facebook.com/dialog/oauth',
    tokenEndpoint: 'https://graph.facebook.com/oauth/access_token',
    parameters: [
      ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state'],
      ...['code_challenge', 'code_challenge_method'],
    ],
    authentication: ['post'],
    errorStatus: 400,
    errorOf: (code) => ({ message: `secret text ${code}`, type: 'OAuthException', code: 100 }),
    answerParameters: {},
    tokenMembers: () => ({ expires_in: 5_184_000 }),
    resource: ({ url, headers }, grants) => {
      const { origin, pathname, searchParams } = new URL(url);
      const names = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const token = names.authorization?.replace(/^Bearer /i, '') ?? '';
      const proof = createHmac('sha256', client.clientSecret).update(token).digest('hex');
      if (`${origin}${pathname}` !== 'https://graph.facebook.com/me') return undefined;
      if (searchParams.get('appsecret_proof') !== proof) return undefined;
      const user = grants.get(token)?.user;
      const fields = searchParams.get('fields')?.split(',') ?? ['id', 'name'];
      return user && Object.fromEntries(Object.entries(user).filter(([name]) => fields.includes(name)));
    },
  });
