export type SecondFactorErrorCode =
  | 'passkeys_off'
  | 'invalid_settings'
  | 'not_allowed'
  | 'not_signed_in'
  | 'unreadable_secret';

/** A fault of the settings or of the stored factors, never of the user. The message says what to do. */
export class SecondFactorError extends Error {
  override readonly name = 'SecondFactorError';
  readonly code: SecondFactorErrorCode;

  constructor(code: SecondFactorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
