import { allLanguages } from '../messages/languages.ts';
import type { View } from '../page/view.ts';

/**
 * The text of a scope for the user; undefined for a scope without one, which is shown by its name. A text of the operator
 * goes before one of this UI. It is in the language of the page, or else in the default language, or in any.
 */
export const scopeText = ({ text, scopes, language, languages }: View, scope: string): string | undefined => {
  const own = scopes.get(scope) ?? {};
  const found = [language, languages[0], ...allLanguages].find((each) => each !== undefined && own[each] !== undefined);
  if (found) return own[found];
  const texts: Readonly<Record<string, string>> = text.scopes;
  const name = scope === 'offline' ? 'offline_access' : scope;
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
};

/** The claims that a scope requests (OpenID Connect Core, section 5.4). */
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

const standardClaims: ReadonlySet<string> = new Set(Object.values(scopeClaims).flat());

const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

/**
 * The standard claims that the `claims` parameter requests, essential or not (OpenID Connect Core, section 5.5). Ory
 * Hydra and
 * Carnet send the parameter to the consent app in `request_url`.
 */
export const requestedClaims = (requestUrl: string | null | undefined): readonly string[] => {
  if (!requestUrl || !URL.canParse(requestUrl)) return [];
  try {
    const requested: unknown = JSON.parse(new URL(requestUrl).searchParams.get('claims') ?? '{}');
    const { userinfo, id_token: idToken } = (requested ?? {}) as {
      readonly userinfo?: unknown;
      readonly id_token?: unknown;
    };
    return [...new Set([...namesIn(userinfo), ...namesIn(idToken)])].filter((name) => standardClaims.has(name));
  } catch {
    return [];
  }
};

/** The user's claims that the granted scopes cover or that the client requested by name. */
export const grantedClaims = (
  claims: Readonly<Record<string, unknown>>,
  scopes: readonly string[],
  requested: readonly string[] = [],
): Record<string, unknown> => {
  const names = scopes.flatMap((scope) => (Object.hasOwn(scopeClaims, scope) ? (scopeClaims[scope] ?? []) : []));
  const all = [...names, ...requested];
  return Object.fromEntries(all.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]));
};
