import { generic } from './generic.ts';
import { isObject, type Preset, type RawClaims, textOf } from './preset.ts';

/** The claims that Apple sends in the form of the first sign-in only. */
const named = ['name', 'given_name', 'family_name'] as const;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The name in the field `user`. */
const nameIn = (parameters: URLSearchParams): RawClaims => {
  const user = parse(parameters.get('user') ?? '');
  const { firstName, lastName } = isObject(user) && isObject(user.name) ? user.name : {};
  const [given, family] = [textOf(firstName), textOf(lastName)];
  const name = [given, family].filter((each) => each !== undefined).join(' ');
  return name === '' ? {} : { name, given_name: given, family_name: family };
};

/**
 * Apple. Its client secret is a JWT of our own. With the scopes `name` and `email` the answer is a form, and only the first one has
 * the name of the user.
 *
 * Safe although the name is not signed because only the name is taken from the form, which users may choose anyway. The subject and
 * the address are those of the ID token.
 */
export const apple: Preset = {
  ...generic,
  issuerOf: () => 'https://appleid.apple.com',
  secretAudience: 'https://appleid.apple.com',
  scopes: ['openid', 'name', 'email'],
  parametersOf: () => ({ response_mode: 'form_post' }),
  loginHint: undefined,
  takesLocales: false,
  prompts: [],
  hasUserinfo: false,
  reauthenticates: false,
  claimsInAnswer: nameIn,
  // From the second sign-in on, the name is unknown. An absent claim would be removed from the user.
  isUnknown: (claim, claims) => named.some((name) => name === claim) && claims[claim] === undefined,
};
