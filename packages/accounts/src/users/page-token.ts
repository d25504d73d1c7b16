import { isDeepStrictEqual } from 'node:util';
import { AccountsError } from '../accounts-error.ts';
import type { UserListQuery } from '../api/users.ts';

type Filters = Pick<UserListQuery, 'search' | 'state' | 'externalId'>;

const filtersOf = ({ search, state, externalId }: Filters): readonly string[] =>
  [search, state, externalId].map((filter) => filter ?? '');

/** The token of the page after a user. It has the id of the user and the filters of the list. */
export const pageToken = (id: string, filters: Filters): string =>
  Buffer.from(JSON.stringify([id, ...filtersOf(filters)])).toString('base64url');

const parsed = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
};

/** @throws AccountsError `invalid_input` for a text that is no token, and for the token of another list */
export const idInToken = (token: string, filters: Filters): string => {
  const content = parsed(token);
  const [id, ...of]: unknown[] = Array.isArray(content) ? content : [];
  const isOfThis = typeof id === 'string' && !id.includes('\0') && isDeepStrictEqual(filtersOf(filters), of);
  if (isOfThis) return id;
  throw new AccountsError('invalid_input', 'The page token belongs to another list.', { field: 'after' });
};
