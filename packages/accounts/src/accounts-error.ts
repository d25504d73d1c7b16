/**
 * `expired_progress`: the progress of a sign-in is older than 10 minutes, or belongs to another sign-in.
 * `unavailable`: a directory, the accounts database or the admin API does not answer. `not_supported`: the feature is off.
 * `foreign_link`: `linkBase` or `returnTo` has an origin that the configuration does not allow. `invalid_input`: the input
 * does not fit the wire format. `unauthorized`: the admin API refuses the client's token. `failed`: any other failure.
 */
export type AccountsErrorCode =
  | 'expired_progress'
  | 'unavailable'
  | 'not_supported'
  | 'foreign_link'
  | 'invalid_input'
  | 'unauthorized'
  | 'failed';

/** The failure of an operation. The message contains no input of the user. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';
  readonly code: AccountsErrorCode;

  constructor(code: AccountsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const expiredProgress = (): AccountsError =>
  new AccountsError(
    'expired_progress',
    'The sign-in took too long, or belongs to another login request. Sign in again.',
  );

export const notSupported = (feature: string, remedy: string): AccountsError =>
  new AccountsError('not_supported', `${feature} is off. ${remedy}`);
