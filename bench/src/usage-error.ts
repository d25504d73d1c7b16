/** What was asked for cannot be done; the message says what can. Anything else that is thrown is a bug. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
