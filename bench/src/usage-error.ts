/** A command or option that is impossible. The message names the possible ones. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
