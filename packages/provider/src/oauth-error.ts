interface OAuthErrorOptions extends ErrorOptions {
  /** HTTP status. Default: 400. */
  readonly status?: number;
  /** The scope that is missing or not allowed, for `invalid_scope`. */
  readonly scope?: string;
  /** Headers of the response, such as the challenge of a 401. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/**
 * An error response of an OAuth endpoint (RFC 6749, section 5.2). Its members have the names of those of oidc-provider's errors.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  /** The `error` of the response body. */
  readonly error: string;
  readonly error_description: string | undefined;
  readonly scope: string | undefined;
  readonly headers: Readonly<Record<string, string | string[]>> | undefined;
  readonly status: number;
  /** The description is part of the response, so it must never hold a secret. */
  readonly expose = true;

  constructor(
    error: string,
    description?: string,
    { status = 400, scope, headers, ...options }: OAuthErrorOptions = {},
  ) {
    super(error, options);
    this.error = error;
    this.error_description = description;
    this.scope = scope;
    this.headers = headers;
    this.status = status;
  }
}

/** The response body of an error. */
export const oauthErrorBody = ({ error, error_description, scope }: OAuthError): Readonly<Record<string, unknown>> => ({
  error,
  error_description,
  scope,
});

/** @param description must reveal nothing about other clients, users or grants. */
export const invalidGrant = (description = 'grant request is invalid', cause?: unknown): OAuthError =>
  new OAuthError('invalid_grant', description, { cause });

export const invalidRequest = (description: string): OAuthError => new OAuthError('invalid_request', description);

export const invalidScope = (description: string, scope: string): OAuthError =>
  new OAuthError('invalid_scope', description, { scope });

export const invalidTarget = (description = 'resource indicator is missing, or unknown'): OAuthError =>
  new OAuthError('invalid_target', description);

export const accessDenied = (description: string, status = 400): OAuthError =>
  new OAuthError('access_denied', description, { status });
