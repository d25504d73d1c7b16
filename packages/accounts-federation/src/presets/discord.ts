import { type Configuration, fetchProtectedResource } from 'openid-client';
import { isObject, isTrue, type Preset, type RawClaims, textOf } from './preset.ts';

const userUrl = new URL('https://discord.com/api/users/@me');

const readUser = async (configuration: Configuration, token: string): Promise<RawClaims> => {
  const response = await fetchProtectedResource(configuration, token, userUrl, 'GET');
  const user: unknown = response.ok ? await response.json() : undefined;
  if (!isObject(user)) throw new TypeError(`The API of Discord answered ${response.status}.`);
  const { id, username, global_name: shown, avatar, email, verified, locale } = user;
  const picture = textOf(avatar) && `https://cdn.discordapp.com/avatars/${id}/${avatar}.png`;
  return {
    sub: id,
    nickname: username,
    name: textOf(shown) ?? username,
    picture,
    locale,
    email,
    email_verified: verified,
  };
};

/** Discord, by OAuth 2.0: Carnet reads the user from its API. */
export const discord: Preset = {
  issuerOf: () => undefined,
  metadata: {
    issuer: 'https://discord.com',
    authorization_endpoint: 'https://discord.com/oauth2/authorize',
    token_endpoint: 'https://discord.com/api/oauth2/token',
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  },
  scopes: ['identify', 'email'],
  takesLocales: false,
  // Its own values are `consent` and `none`.
  prompts: [],
  isOpenId: false,
  hasUserinfo: false,
  reauthenticates: false,
  readUser,
  // The number of the account, as text: numbers of JSON would be rounded.
  subjectOf: ({ sub }) => (typeof sub === 'string' && /^\d{1,20}$/.test(sub) ? sub : undefined),
  isEmailVerified: ({ email_verified: verified }) => isTrue(verified),
};
