import { type Configuration, fetchProtectedResource } from 'openid-client';
import { isObject, type Preset, textOf } from './preset.ts';
import { withoutIdTokens } from './without-id-tokens.ts';

const api = 'https://api.github.com';

const get = async (configuration: Configuration, token: string, path: string): Promise<unknown> => {
  const headers = new Headers({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' });
  const response = await fetchProtectedResource(configuration, token, new URL(path, api), 'GET', undefined, headers);
  if (!response.ok) throw new TypeError(`The API of GitHub answered ${response.status}.`);
  return response.json();
};

/** GitHub, by OAuth 2.0: it issues no ID tokens to applications. */
export const github: Preset = {
  ...withoutIdTokens,
  metadata: {
    issuer: 'https://github.com',
    authorization_endpoint: 'https://github.com/login/oauth/authorize',
    token_endpoint: 'https://github.com/login/oauth/access_token',
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  },
  scopes: ['read:user', 'user:email'],
  loginHint: 'login',
  readUser: async (configuration, token) => {
    const [user, emails] = [await get(configuration, token, '/user'), await get(configuration, token, '/user/emails')];
    if (!isObject(user) || !Array.isArray(emails)) throw new TypeError('The API of GitHub answered with no user.');
    const { id, login, name, avatar_url: picture, html_url: profile } = user;
    // The profile shows an address that need not be verified, so that the list decides.
    const primary = emails.find((each: unknown) => isObject(each) && each.primary === true && each.verified === true);
    const email = isObject(primary) ? textOf(primary.email) : undefined;
    return { sub: id, nickname: login, name: textOf(name) ?? login, picture, profile, email, email_verified: true };
  },
  // A login is given to another user later, the number never.
  subjectOf: ({ sub }) => (Number.isSafeInteger(sub) ? String(sub) : undefined),
  isEmailVerified: ({ email }) => email !== undefined,
};
