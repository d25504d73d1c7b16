import type { Claims } from '@carnet/accounts/directory';

const longestKey = 200;

/**
 * The text by which users are searched, for a name and for the prefix of one: width, case, composition and white space do
 * not matter. A prefix of a login name has the same form.
 */
export const searchKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    // Postgres stores no NUL, and no half of a surrogate pair.
    .replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, longestKey)
    .toWellFormed();

const keyOf = (claim: unknown): string | null => (typeof claim === 'string' && searchKey(claim)) || null;

/** The columns by which a user is found by name. */
export const nameKeysOf = ({ name, family_name: familyName }: Claims) => ({
  name_key: keyOf(name),
  family_name_key: keyOf(familyName),
});
