/**
 * `expired_progress`: the progress of a sign-in is older than 10 minutes, or belongs to another sign-in.
 * `unavailable`: a directory, the accounts database or the admin API does not answer. `not_supported`: the feature is off.
 * `foreign_link`: `linkBase` or `returnTo` has an origin that the configuration does not allow. `invalid_input`: the input
 * does not fit the wire format. `not_found`: there is no such user. `conflict`: the login name belongs to another user.
 * `changed`: the user was changed since the caller has read it. `unauthorized`: the admin API refuses the client's token. `failed`: any other failure.
 */
export type AccountsErrorCode =
  | 'expired_progress'
  | 'unavailable'
  | 'not_supported'
  | 'foreign_link'
  | 'invalid_input'
  | 'not_found'
  | 'conflict'
  | 'changed'
  | 'unauthorized'
  | 'failed';

/** The failure of an operation. The message contains no input of the user. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';
  readonly code: AccountsErrorCode;
  /** The member that is wrong, if it is one. */
  readonly field: string | undefined;

  constructor(code: AccountsErrorCode, message: string, options?: ErrorOptions & { readonly field?: string }) {
    super(message, options);
    this.code = code;
    this.field = options?.field;
  }
}

export const expiredProgress = (): AccountsError =>
  new AccountsError(
    'expired_progress',
    'The sign-in took too long, or belongs to another login request. Sign in again.',
  );

export const notSupported = (feature: string, remedy: string): AccountsError =>
  new AccountsError('not_supported', `${feature} is off. ${remedy}`);
