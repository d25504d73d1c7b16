/** What a scope means to the person who is asked; one that is not here is shown by its name alone. */
export const scopeTexts: Readonly<Record<string, string>> = {
  openid: 'Know who you are',
  profile: 'See your name and profile',
  email: 'See your email address',
  address: 'See your postal address',
  phone: 'See your phone number',
  offline_access: 'Keep access while you are away',
  offline: 'Keep access while you are away',
};

/** The claims that a scope asks for (OpenID Connect Core, section 5.4). */
const scopeClaims: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
};

/** Of a user's claims those that the granted scopes cover, and no others. */
export const grantedClaims = (
  claims: Readonly<Record<string, unknown>>,
  scopes: readonly string[],
): Record<string, unknown> => {
  const names = scopes.flatMap((scope) => (Object.hasOwn(scopeClaims, scope) ? (scopeClaims[scope] ?? []) : []));
  return Object.fromEntries(names.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]));
};
