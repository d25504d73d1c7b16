export type DirectoryErrorCode = 'unavailable' | 'ambiguous' | 'not_supported';

/** The failure of a directory. The message names the directory, the server and the step; it holds no credentials. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly code: DirectoryErrorCode;
  readonly directory: string;

  constructor(code: DirectoryErrorCode, directory: string, message: string, options?: ErrorOptions) {
    super(`directory ${directory}: ${message}`, options);
    this.code = code;
    this.directory = directory;
  }
}
