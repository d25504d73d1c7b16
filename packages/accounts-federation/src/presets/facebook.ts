import { createHmac } from 'node:crypto';
import type { OidcProviderOptions } from '@carnet/accounts';
import { type Configuration, fetchProtectedResource } from 'openid-client';
import { isObject, type Preset, type RawClaims } from './preset.ts';

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
  const response = await fetchProtectedResource(configuration, token, url, 'GET');
  const user: unknown = response.ok ? await response.json() : undefined;
  if (!isObject(user)) throw new TypeError(`The API of Facebook answered ${response.status}.`);
  const { id, name, first_name: given, last_name: family, email } = user;
  return { sub: id, name, given_name: given, family_name: family, email };
};

/**
 * Facebook, by OAuth 2.0: only its SDK for iOS gets ID tokens. The URLs name no version of the API, so that Facebook uses the
 * version of the application. The picture is left out, because its URL expires.
 */
export const facebook: Preset = {
  issuerOf: () => undefined,
  metadata: {
    issuer: 'https://www.facebook.com',
    authorization_endpoint: 'https://www.facebook.com/dialog/oauth',
    token_endpoint: 'https://graph.facebook.com/oauth/access_token',
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  },
  scopes: ['public_profile', 'email'],
  takesLocales: false,
  prompts: [],
  isOpenId: false,
  hasUserinfo: false,
  reauthenticates: false,
  readUser,
  // The number of the user at this application, as text: numbers of JSON would be rounded.
  subjectOf: ({ sub }) => (typeof sub === 'string' && /^\d{1,20}$/.test(sub) ? sub : undefined),
  // Facebook does not say whether an address is verified. Users without an address, or who refuse it, have none.
  isEmailVerified: () => false,
};
