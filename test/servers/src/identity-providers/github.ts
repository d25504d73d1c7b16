import {
  createIdentityStandIn,
  type Grant,
  type IdentityStandIn,
  type ProviderRequest,
  type RegisteredClient,
} from './identity-stand-in.ts';

/** The user of an API request. The API refuses requests without User-Agent. */
const userOf = ({ headers }: ProviderRequest, grants: ReadonlyMap<string, Grant>): Grant['user'] | undefined => {
  const names = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (names['user-agent'] === undefined) return undefined;
  return grants.get(names.authorization?.replace(/^Bearer /i, '') ?? '')?.user;
};

/** GitHub: OAuth 2.0 without ID tokens. Errors of the token endpoint have the status 200. */
export const createGitHubStandIn = (client: RegisteredClient): IdentityStandIn =>
  createIdentityStandIn(client, {
    authorizationEndpoint: 'https://github.com/login/oauth/authorize',
    tokenEndpoint: 'https://github.com/login/oauth/access_token',
    parameters: [
      ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'prompt', 'login'],
      ...['code_challenge', 'code_challenge_method'],
    ],
    authentication: ['post'],
    errorStatus: 200,
    answerParameters: {},
    tokenMembers: () => ({ token_type: 'bearer', scope: 'read:user,user:email' }),
    resource: (request, grants) => {
      const user = userOf(request, grants);
      if (user === undefined) return undefined;
      const { emails = [], ...profile } = user;
      if (request.url === 'https://api.github.com/user') return profile;
      return request.url === 'https://api.github.com/user/emails' ? Object(emails) : undefined;
    },
  });
