/** A command or option that is impossible. The message names the possible ones. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The text for the user: the message alone if the command is impossible. Any other error is a bug, shown with its stack. */
export const explain = (error: unknown): string => {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  return error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS_') ? `bench: ${message}` : `${stack}`;
};
