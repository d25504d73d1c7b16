export type DirectoryErrorCode = 'unavailable' | 'ambiguous' | 'not_supported' | 'invalid_configuration';

export interface DirectoryErrorOptions extends ErrorOptions {
  /** The time after which a caller may ask again, if it is known. */
  readonly retryAfterSeconds?: number;
}

/** The failure of a directory. The message names the directory, the server and the step; it holds no credentials. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly code: DirectoryErrorCode;
  readonly directory: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: DirectoryErrorCode, directory: string, message: string, options: DirectoryErrorOptions = {}) {
    super(`directory ${directory}: ${message}`, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.directory = directory;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
