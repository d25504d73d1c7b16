import { AccountsError, notSupported } from '../accounts-error.ts';
import type { Creation, UserUpdateResult } from '../store/index.ts';

/** No directory has a user with this subject. */
export const noSuchUser = (): AccountsError =>
  new AccountsError('not_found', 'No directory has a user with this subject.');

export const changedMeanwhile = (): AccountsError =>
  new AccountsError('changed', 'It was changed since it was read. Read it again, and repeat the change.', {
    field: 'ifVersion',
  });

export const readOnly = (directory: string): AccountsError =>
  new AccountsError(
    'not_supported',
    `The users of the directory ${directory} are managed there: Carnet only reads it.`,
  );

/** Without a directory of the kind `sql`. */
export const noLocalUsers = (what = 'The management of users'): AccountsError =>
  notSupported(
    what,
    'It needs accounts.database and a directory of the kind sql. Users of other directories are found by login.',
  );

const invalid = (field: string, message: string): AccountsError =>
  new AccountsError('invalid_input', `Field '${field}': ${message}`, { field });

const taken = (): AccountsError =>
  new AccountsError('conflict', "Field 'email' or 'username': another user has this login name.");

type CreationRefusal = Extract<Creation, { readonly created: false }>;

/** The error of a user that is not created, for the member that is wrong. */
export const creationError = ({ reason, message }: CreationRefusal, hasEmail: boolean): AccountsError => {
  switch (reason) {
    case 'taken':
      return taken();
    case 'invalid_login':
      return invalid(hasEmail ? 'email' : 'username', message);
    case 'invalid_claims':
      return invalid('claims', message);
    case 'weak_password':
      return invalid('password', message);
    case 'unsupported_hash':
      return invalid('passwordHash', message);
  }
};

type UpdateRefusal = Extract<UserUpdateResult, { readonly updated: false }>;

/** The error of a user that is not changed. */
export const updateError = (refusal: UpdateRefusal): AccountsError => {
  switch (refusal.reason) {
    case 'not_found':
      return noSuchUser();
    case 'changed':
      return changedMeanwhile();
    case 'taken':
      return taken();
    case 'last_login':
      return invalid('username', 'a user must keep an email address or a user name.');
    case 'invalid_email':
      return invalid('email', 'it must be a valid email address.');
    case 'invalid_username':
      return invalid('username', 'it must be a valid login name.');
    case 'invalid_claims':
      return invalid('claims', refusal.message);
  }
};
