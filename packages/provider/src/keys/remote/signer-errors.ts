import { CarnetError, ConfigError } from '../../errors.ts';

/** By name: a signer may have a copy of the contract of its own. */
const isNamed = (error: unknown, name: string): error is Error => error instanceof Error && error.name === name;

/** Whether the service did not answer or was busy, so that the same call may succeed at once. */
export const isUnavailable = (error: unknown): error is Error => isNamed(error, 'SignerUnavailableError');

/** Whether an operator must act. The message says how. */
export const isUnfit = (error: unknown): error is Error => isNamed(error, 'SignerUnfitError');

/** The error of a request that needs a signature of a service. */
export const signerUnavailable = (cause: unknown): CarnetError =>
  cause instanceof CarnetError
    ? cause
    : new CarnetError('signer_unavailable', 'The signing service did not sign. Try again in a moment.', { cause });

/** The error of a start: a problem of the configuration, or `signer_unavailable` for an outage. */
export const startError = (key: string, cause: unknown): unknown => {
  if (isUnfit(cause)) return new ConfigError([`${key}: ${cause.message}`]);
  if (!isUnavailable(cause)) return cause;
  const description = `The service of ${key} does not answer. Start again when it does.`;
  return new CarnetError('signer_unavailable', description, { cause });
};

/** The action of the operator after an error, or the error's own message. */
export const remedyOf = (error: unknown): string => {
  const cause = error instanceof CarnetError && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
};
