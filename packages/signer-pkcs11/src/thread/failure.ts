/**
 * Why a job failed.
 * - `session`: the session ended. The job may succeed in a new one.
 * - `unavailable`, `unfit`: the errors of the signer port.
 * - `pin`: the token refused the PIN.
 */
export interface Failure {
  readonly kind: 'session' | 'unavailable' | 'unfit' | 'pin';
  /** Says what happened and what to do. It has no data and no PIN. */
  readonly message: string;
}

/** A failure on its way to the end of the job. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;
  constructor(kind: Failure['kind'], message: string) {
    super(message);
    this.failure = { kind, message };
  }
}

/** The codes after which a new session may work (PKCS #11 v2.40, section 5.1). */
const sessionCodes = new Set([
  'CKR_SESSION_HANDLE_INVALID',
  'CKR_SESSION_CLOSED',
  'CKR_USER_NOT_LOGGED_IN',
  'CKR_DEVICE_REMOVED',
  'CKR_DEVICE_ERROR',
  'CKR_TOKEN_NOT_PRESENT',
  'CKR_TOKEN_NOT_RECOGNIZED',
  'CKR_CRYPTOKI_NOT_INITIALIZED',
  'CKR_OPERATION_ACTIVE',
  'CKR_OPERATION_NOT_INITIALIZED',
  'CKR_GENERAL_ERROR',
  'CKR_FUNCTION_FAILED',
  'CKR_KEY_HANDLE_INVALID',
  'CKR_OBJECT_HANDLE_INVALID',
]);

/** The token or the host is busy or lacks something: a later call may succeed. */
const busyCodes = new Set([
  'CKR_SESSION_COUNT',
  'CKR_HOST_MEMORY',
  'CKR_DEVICE_MEMORY',
  'CKR_FUNCTION_CANCELED',
  'CKR_CANT_LOCK',
]);

const pinAdvice: Readonly<Record<string, string>> = {
  CKR_PIN_LOCKED: 'the PIN is locked: unlock it with the tool of the module (CKR_PIN_LOCKED)',
  CKR_PIN_EXPIRED: 'the PIN has expired: set a new one with the tool of the module (CKR_PIN_EXPIRED)',
};

const pinCodes = new Set(['CKR_PIN_INCORRECT', 'CKR_PIN_INVALID', 'CKR_PIN_LEN_RANGE']);

/** The name of the code: `CKR_PIN_INCORRECT`. Undefined for an error that the module did not return. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error ? /\bCKR_[A-Z0-9_]+/.exec(error.message)?.[0] : undefined;

/** The failure of an error that a call of the module threw. `action` is a noun phrase: "the signature". */
export const toFailure = (error: unknown, action: string): Failure => {
  if (error instanceof FailureError) return error.failure;
  const code = codeOf(error);
  if (code === undefined) return { kind: 'unavailable', message: `${action} failed: ${nameOf(error)}` };
  const advice = pinAdvice[code];
  if (advice) return { kind: 'unfit', message: advice };
  if (pinCodes.has(code)) return { kind: 'pin', message: `the token refused the PIN (${code}): correct it` };
  const message = `${action} failed: the module returned ${code}`;
  if (sessionCodes.has(code)) return { kind: 'session', message };
  return { kind: busyCodes.has(code) ? 'unavailable' : 'unfit', message };
};

/** The message of another error may quote arguments. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'an unknown error');
