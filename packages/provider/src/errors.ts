/**
 * Every error Carnet itself raises: one class, one closed table. `docs/reference/errors.md` lists exactly these codes.
 *
 * `error` is the member of the response (of RFC 6749, section 5.2, if it defines one). `description` says what to do.
 */
const table = {
  invalid_request: { status: 400, error: 'invalid_request' },
  /** A member of a trusted issuer is missing. */
  missing_required_parameter: { status: 400, error: 'missing_required_parameter' },
  invalid_client_metadata: { status: 400, error: 'invalid_client_metadata' },
  /** A client that registers itself has invalid `redirect_uris` (RFC 7591, section 3.2.2). */
  invalid_redirect_uri: { status: 400, error: 'invalid_redirect_uri' },
  /** The keys at the client's `jwks_uri` can't be fetched, so that the client can't be authenticated. */
  client_keys_unavailable: { status: 400, error: 'invalid_client' },
  /** The `client_id` is a URL without a metadata document, or with one that may not be used. */
  client_document_invalid: { status: 400, error: 'invalid_client' },
  /** The admin API was called without its bearer token, or with another. */
  unauthorized: { status: 401, error: 'The request could not be authorized' },
  /** A web page called the admin API, or the signing keys are managed by hand. */
  request_forbidden: { status: 403, error: 'request_forbidden' },
  not_found: { status: 404, error: 'Unable to locate the resource' },
  method_not_allowed: { status: 405, error: 'Method Not Allowed' },
  /** The object to create exists already, or the object to remove is in use. */
  conflict: {
    status: 409,
    error: 'Unable to insert or update resource because a resource with that value exists already',
  },
  /** The operation of the accounts API is off, or the user's directory is read-only. */
  not_supported: { status: 409, error: 'not_supported' },
  /** Two users of a directory match the login name. */
  ambiguous_login: { status: 409, error: 'ambiguous_login' },
  /** The progress of a sign-in is too old, or belongs to another login request. */
  expired_progress: { status: 409, error: 'expired_progress' },
  /** The challenge is authentic, but expired or used. */
  gone: { status: 410, error: 'Gone' },
  /** The user was changed since the caller has read the version in `If-Match` (RFC 9110, section 13.1.1). */
  changed: { status: 412, error: 'precondition_failed' },
  payload_too_large: { status: 413, error: 'invalid_request' },
  uri_too_long: { status: 414, error: 'invalid_request' },
  misdirected_request: { status: 421, error: 'invalid_request' },
  /** Too many user codes were tried. */
  too_many_attempts: { status: 429, error: 'too_many_requests' },
  /** The limit of registrations is reached. */
  too_many_registrations: { status: 429, error: 'too_many_requests' },
  /** A limit is reached: of secrets that wait for verification, or of large requests that have to be stored. */
  too_busy: { status: 503, error: 'temporarily_unavailable' },
  /** The metadata document at a `client_id` that is a URL could not be fetched now. */
  client_document_unavailable: { status: 503, error: 'temporarily_unavailable' },
  /** A user directory, the accounts database or the mail server did not answer. Never reported as a wrong password. */
  accounts_unavailable: { status: 503, error: 'temporarily_unavailable' },
  /** The store did not answer. Never reported as "not found" or "inactive". */
  storage_unavailable: { status: 503, error: 'temporarily_unavailable' },
  /** The service of an external signing key did not sign. The operation was not carried out. */
  signer_unavailable: { status: 503, error: 'temporarily_unavailable' },
  server_error: { status: 500, error: 'server_error' },
} as const satisfies Record<string, { status: number; error: string }>;

export type ErrorCode = keyof typeof table;

export const errorTable: Readonly<Record<ErrorCode, { readonly status: number; readonly error: string }>> = table;

export interface CarnetErrorOptions extends ErrorOptions {
  readonly field?: string;
}

export class CarnetError extends Error {
  override readonly name = 'CarnetError';
  readonly code: ErrorCode;
  readonly status: number;
  /** The `error` member of the body. */
  readonly error: string;
  /** The `error_description` member of the body: what is wrong and what to do. Never holds a secret. */
  readonly description: string;
  /** The name of the request's field that is wrong. Undefined: the error is about no single field. Not in the body. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, description: string, options?: CarnetErrorOptions) {
    super(description || table[code].error, options);
    this.code = code;
    this.status = table[code].status;
    this.error = table[code].error;
    this.description = description;
    this.field = options?.field;
  }
}

/**
 * The error for one field of a client's metadata.
 * @param problem follows the name of the field: `must be ...`, or `: was answered with ...`
 */
export const fieldError = (field: string, problem: string, options?: ErrorOptions): CarnetError =>
  new CarnetError('invalid_client_metadata', `Field ${field}${problem.startsWith(':') ? '' : ' '}${problem}`, {
    ...options,
    field,
  });

/** An expired or used challenge: the admin API answers 410 with the URL where the flow starts again. */
export class GoneError extends CarnetError {
  readonly redirectTo: string;

  constructor(redirectTo: string, description: string) {
    super('gone', description);
    this.redirectTo = redirectTo;
  }
}

/** Configuration that can't be used; `problems` names each key and what to do about it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.problems = problems;
  }
}
