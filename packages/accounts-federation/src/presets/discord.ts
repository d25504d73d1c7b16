import type { Configuration } from 'openid-client';
import { isTrue, type Preset, type RawClaims, textOf } from './preset.ts';
import { readObject, subjectOfDigits, withoutIdTokens } from './without-id-tokens.ts';

const url = new URL('https://discord.com/api/users/@me');

const readUser = async (configuration: Configuration, token: string): Promise<RawClaims> => {
  const user = await readObject(configuration, token, { label: 'Discord', url });
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
  ...withoutIdTokens,
  metadata: {
    issuer: 'https://discord.com',
    authorization_endpoint: 'https://discord.com/oauth2/authorize',
    token_endpoint: 'https://discord.com/api/oauth2/token',
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  },
  scopes: ['identify', 'email'],
  // Its own values are `consent` and `none`.
  prompts: [],
  readUser,
  // The number of the account.
  subjectOf: subjectOfDigits,
  isEmailVerified: ({ email_verified: verified }) => isTrue(verified),
};
