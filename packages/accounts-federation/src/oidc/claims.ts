import type { OidcProviderOptions } from '@carnet/accounts';
import { isTrue, type Preset, type RawClaims, textOf } from '../presets/preset.ts';

/** The claims of the profile that a new user gets (OpenID Connect Core, section 5.1). */
const profile = [
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
  ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale'],
] as const;

/** These decide who the user is: the mapping may choose their source, but they are no claims of the profile. */
const identifying: ReadonlySet<string> = new Set(['email', 'email_verified']);

const longestText = 2_048;

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= longestText;

/** The claims of the configured mapping. An absent one is `null`, an unknown one is left out. */
const mappedOf = ({ claims: mapping }: OidcProviderOptions, raw: RawClaims, preset: Preset): RawClaims =>
  Object.fromEntries(
    Object.entries(mapping)
      .filter(([name, source]) => !identifying.has(name) && !preset.isUnknown?.(source, raw))
      .map(([name, source]) => [name, raw[source] ?? null]),
  );

/** Whether the provider calls the address verified. What it says about `email` is nothing about another claim. */
const isVerified = (
  { claims: { email, email_verified: source } }: OidcProviderOptions,
  raw: RawClaims,
  preset: Preset,
) => {
  if (source !== undefined) return isTrue(raw[source]);
  return (email === undefined || email === 'email') && preset.isEmailVerified(raw);
};

export interface ReadClaims {
  readonly claims: RawClaims;
  readonly mapped: RawClaims;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
}

/** The claims of a user by their names at Carnet. */
export const readClaims = (options: OidcProviderOptions, raw: RawClaims, preset: Preset): ReadClaims => {
  const { email: emailSource = 'email' } = options.claims;
  const mapped = mappedOf(options, raw, preset);
  const known = Object.entries({
    ...Object.fromEntries(profile.filter((name) => isShortText(raw[name])).map((name) => [name, raw[name]])),
    ...mapped,
  });
  return {
    claims: Object.fromEntries(known.filter(([, value]) => value !== null)),
    mapped,
    email: textOf(raw[emailSource]),
    emailVerified: isVerified(options, raw, preset),
  };
};
