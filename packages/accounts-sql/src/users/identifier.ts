import { isEmail, normaliseLogin } from '@carnet/accounts/directory';
import type { Identifier } from '@carnet/accounts/store';
import { sql } from 'kysely';

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

/** No login name has a line feed: `normaliseLogin` refuses it. */
const separator = '\n';

/** The login names of the user in this row as one text: null without one. */
export const identifiersOfUser = sql<string | null>`(
  select string_agg(kind || ' ' || normalised, ${separator} order by kind, normalised)
  from carnet_identifier where user_id = carnet_user.id)`;

/** The login names in the text of `identifiersOfUser`. */
export const identifiersIn = (text: string | null): readonly Identifier[] =>
  (text?.split(separator) ?? []).map((line) => {
    const end = line.indexOf(' ');
    return { kind: line.startsWith('email ') ? 'email' : 'username', value: line.slice(end + 1) };
  });
