import type { Claims } from '@carnet/accounts/directory';
import type { ClaimsUpdate } from '@carnet/accounts/store';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { nameKeysOf } from './search-keys.ts';
import { laterThanBefore, parseClaims } from './user.ts';

const mostCharacters = 16_384;

/** Claims of the protocol, and those that must agree with the login names of the user. */
const reserved: ReadonlySet<string> = new Set([
  ...['sub', 'iss', 'aud', 'exp', 'iat', 'nbf', 'jti', 'azp', 'nonce', 'acr', 'amr', 'auth_time', 'sid', '__proto__'],
  ...['email', 'preferred_username'],
]);

/** The reason why claims are refused, in one sentence; undefined if they are accepted. */
export const problemOfClaims = (claims: Claims): string | undefined => {
  const name = Object.keys(claims).find((each) => reserved.has(each));
  if (name !== undefined) return `The claim "${name}" cannot be set: it belongs to the protocol or to the login names.`;
  return JSON.stringify(claims).length > mostCharacters
    ? `The claims must have at most ${mostCharacters} characters as JSON.`
    : undefined;
};

/** The claims after a change; `null` removes one. */
export const mergeClaims = (claims: Claims, changes: Claims): Claims =>
  Object.fromEntries(Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== null));

/** The columns that follow from the claims. */
export const claimColumns = (claims: Claims) => ({ claims: JSON.stringify(claims), ...nameKeysOf(claims) });

/** Sets claims; `null` removes one. Claims that are not named are kept. */
export const updateClaims = async (
  tables: Kysely<Schema>,
  { id, changes, now }: { readonly id: string; readonly changes: Claims; readonly now: number },
): Promise<ClaimsUpdate> => {
  const message = problemOfClaims(changes);
  if (message !== undefined) return { updated: false, reason: 'invalid_claims', message };
  for (;;) {
    const row = await tables.selectFrom('carnet_user').select('claims').where('id', '=', id).executeTakeFirst();
    if (row === undefined) return { updated: false, reason: 'not_found' };
    const columns = claimColumns(mergeClaims(parseClaims(row.claims), changes));
    if (columns.claims === row.claims) return { updated: true };
    const { numUpdatedRows } = await tables
      .updateTable('carnet_user')
      .set({ ...columns, updated_at: laterThanBefore(now) })
      .where('id', '=', id)
      // Compare-and-set: if another caller has changed the claims, they are read and merged again.
      .where('claims', '=', row.claims)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return { updated: true };
  }
};
