import { type Configuration, fetchProtectedResource } from 'openid-client';
import { isObject, type Preset, type RawClaims } from './preset.ts';

/** The members of the presets of providers that issue no ID tokens (OAuth 2.0): Carnet reads the user from an API. */
export const withoutIdTokens = {
  issuerOf: () => undefined,
  takesLocales: false,
  isOpenId: false,
  hasUserinfo: false,
  reauthenticates: false,
} as const satisfies Partial<Preset>;

/** The subject of a provider whose ids are numbers, as text: numbers of JSON would be rounded. */
export const subjectOfDigits = ({ sub }: RawClaims): string | undefined =>
  typeof sub === 'string' && /^\d{1,20}$/.test(sub) ? sub : undefined;

/** The user of the token, as the API of the provider has it. @throws TypeError for another answer */
export const readObject = async (
  configuration: Configuration,
  token: string,
  { label, url }: { readonly label: string; readonly url: URL },
): Promise<RawClaims> => {
  const response = await fetchProtectedResource(configuration, token, url, 'GET');
  const user: unknown = response.ok ? await response.json() : undefined;
  if (!isObject(user)) throw new TypeError(`The API of ${label} answered ${response.status}.`);
  return user;
};
