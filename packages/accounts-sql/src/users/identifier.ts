import { isEmail, normaliseLogin } from '@carnet/accounts/directory';
import type { Identifier } from '@carnet/accounts/store';

/** Undefined if the login names are not valid. */
export const identifiersOf = (names: {
  readonly email?: string;
  readonly username?: string;
}): readonly Identifier[] | undefined => {
  const { email, username } = names;
  if (email === undefined && username === undefined) return undefined;
  if (email !== undefined && !isEmail(email)) return undefined;
  const identifiers: Identifier[] = [];
  for (const [kind, name] of [
    ['email', email],
    ['username', username],
  ] as const) {
    if (name === undefined) continue;
    const value = normaliseLogin(name);
    if (value === undefined) return undefined;
    identifiers.push({ kind, value });
  }
  return identifiers;
};
