import type { Vault } from '../store.ts';

/** The place of a factor's secret in the vault. JSON separates the parts, so that no two places are equal. */
export const secretPlace = (subject: string, id: string): string => JSON.stringify(['factor', subject, id]);

/** Seals values that expire, such as enrolments and challenges. They travel in the page, so that the store holds none. */
export const sealExpiring = (vault: Vault, place: readonly string[], value: object, expiresAt: number): string =>
  Buffer.from((vault.ofBrowser ?? vault).seal(JSON.stringify(place), JSON.stringify({ ...value, expiresAt }))).toString(
    'base64url',
  );

/** Undefined if it was changed, has expired, or belongs to another place. `Value` is what this place seals. */
export const openExpiring = <Value extends object>(
  vault: Vault,
  place: readonly string[],
  sealed: string,
  now: number,
): (Value & { readonly expiresAt: number }) | undefined => {
  const text = (vault.ofBrowser ?? vault).open(JSON.stringify(place), Buffer.from(sealed, 'base64url').toString());
  if (text === undefined) return undefined;
  const value: Value & { expiresAt: number } = JSON.parse(text);
  return value.expiresAt > now ? value : undefined;
};
