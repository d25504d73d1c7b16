/** Parameters of a request, each with one value. */
export type RequestParams = Readonly<Record<string, string>>;

/** An authorization request: as it was sent, or as the claims of a request object. */
export interface AuthorizationRequest {
  readonly params: RequestParams;
  /** The values of the parameter `resource`, which may be repeated (RFC 8707, section 2). */
  readonly resources: readonly string[];
  readonly isPushed: boolean;
  /** The parameters are those of a request object that the client has signed, or of a pushed request. */
  readonly isSigned: boolean;
}
