import { CarnetError, type ErrorCode } from '../errors.ts';

/** The errors of `@carnet/accounts` and of directories by their names and codes: each package may have its own copy of the class. */
const codes: Readonly<Record<string, ErrorCode>> = {
  'AccountsError expired_progress': 'expired_progress',
  'AccountsError unavailable': 'accounts_unavailable',
  'AccountsError not_supported': 'not_supported',
  'AccountsError foreign_link': 'invalid_request',
  'AccountsError invalid_input': 'invalid_request',
  'AccountsError not_found': 'not_found',
  'AccountsError conflict': 'conflict',
  'AccountsError changed': 'changed',
  'SecondFactorError passkeys_off': 'not_supported',
  'SecondFactorError not_allowed': 'not_supported',
  'DirectoryError unavailable': 'accounts_unavailable',
  'DirectoryError ambiguous': 'ambiguous_login',
  'DirectoryError not_supported': 'not_supported',
};

const named = (cause: unknown): unknown => {
  if (!(cause instanceof Error)) return cause;
  const code = codes[`${cause.name} ${(cause as NodeJS.ErrnoException).code}`];
  // These messages name the directory, the server and the step, and hold no credentials.
  const { field } = cause as { field?: string };
  return code === undefined ? cause : new CarnetError(code, cause.message, { cause, ...(field && { field }) });
};

/** The result of `call`. Its failure becomes a CarnetError; any other error is a bug, and is thrown unchanged. */
export const nameFailures = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (cause) {
    throw named(cause);
  }
};
