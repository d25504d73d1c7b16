import { createHmac } from 'node:crypto';
import type { OidcProviderOptions } from '@carnet/accounts';
import type { Configuration } from 'openid-client';
import type { Preset, RawClaims } from './preset.ts';
import { readObject, subjectOfDigits, withoutIdTokens } from './without-id-tokens.ts';

const userUrl = 'https://graph.facebook.com/me?fields=id,name,first_name,last_name,email';

/** The proof that the application itself uses the token: applications can require it (`appsecret_proof`). */
const proofOf = ({ clientSecret = '' }: OidcProviderOptions, token: string): string =>
  createHmac('sha256', clientSecret).update(token).digest('hex');

const readUser = async (
  configuration: Configuration,
  token: string,
  options: OidcProviderOptions,
): Promise<RawClaims> => {
  const url = new URL(userUrl);
  url.searchParams.set('appsecret_proof', proofOf(options, token));
  const user = await readObject(configuration, token, { label: 'Facebook', url });
  const { id, name, first_name: given, last_name: family, email } = user;
  return { sub: id, name, given_name: given, family_name: family, email };
};

/**
 * Facebook, by OAuth 2.0: only its SDK for iOS gets ID tokens. The URLs name no version of the API, so that Facebook uses the
 * version of the application. The picture is left out, because its URL expires.
 */
export const facebook: Preset = {
  ...withoutIdTokens,
  metadata: {
    issuer: 'https://www.facebook.com',
    authorization_endpoint: 'https://www.facebook.com/dialog/oauth',
    token_endpoint: 'https://graph.facebook.com/oauth/access_token',
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  },
  scopes: ['public_profile', 'email'],
  prompts: [],
  readUser,
  // The number of the user at this application.
  subjectOf: subjectOfDigits,
  // Facebook does not say whether an address is verified. Users without an address, or who refuse it, have none.
  isEmailVerified: () => false,
};
