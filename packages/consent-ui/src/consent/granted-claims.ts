/** Claims about a user (OpenID Connect Core, section 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

/** The names of the claims of each scope, besides the standard scopes. */
export type ScopeClaims = Readonly<Record<string, readonly string[]>>;

/** The claims that a standard scope requests (OpenID Connect Core, section 5.4). */
const standardScopes: ScopeClaims = {
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

const standardClaims: ReadonlySet<string> = new Set(Object.values(standardScopes).flat());

const claimsOf = (scopes: ScopeClaims, scope: string): readonly string[] =>
  Object.hasOwn(scopes, scope) ? (scopes[scope] ?? []) : [];

const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/**
 * The claims that the `claims` parameter requests, essential or not (OpenID Connect Core, section 5.5): standard claims, and
 * those of other scopes that the client is registered for. Any other client could read the groups of a user without the scope.
 * Ory Hydra and Carnet send the parameter to the consent app in `request_url`.
 */
export const requestedClaims = (
  requestUrl: string | null | undefined,
  own: ScopeClaims = {},
  registered: readonly string[] = [],
): readonly string[] => {
  const allowed = new Set([...standardClaims, ...registered.flatMap((scope) => claimsOf(own, scope))]);
  try {
    const requested: unknown = JSON.parse(URL.parse(requestUrl ?? '')?.searchParams.get('claims') ?? '{}');
    const { userinfo, id_token: idToken } = (requested ?? {}) as {
      readonly userinfo?: unknown;
      readonly id_token?: unknown;
    };
    return [...new Set([...namesIn(userinfo), ...namesIn(idToken)])].filter((name) => allowed.has(name));
  } catch {
    return [];
  }
};

export interface GrantedClaims {
  /** For ID tokens and userinfo. */
  readonly idToken: Record<string, unknown>;
  /** For access tokens: claims of the operator's scopes, by which resource servers decide. Standard claims describe the user. */
  readonly accessToken: Record<string, unknown>;
}

const pick = (claims: Claims, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]));

/** The user's claims that the granted scopes cover or that the client requested by name. */
export const grantedClaims = (
  claims: Claims,
  scopes: readonly string[],
  { requested = [], own = {} }: { readonly requested?: readonly string[]; readonly own?: ScopeClaims } = {},
): GrantedClaims => {
  const ownNames = scopes.flatMap((scope) => claimsOf(own, scope));
  const standardNames = scopes.flatMap((scope) => claimsOf(standardScopes, scope));
  return {
    idToken: pick(claims, [...standardNames, ...ownNames, ...requested]),
    accessToken: pick(claims, ownNames),
  };
};
