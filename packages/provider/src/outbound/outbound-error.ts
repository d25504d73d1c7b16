/** The purpose of a request. */
export type OutboundPurpose =
  | 'backchannel_logout'
  | 'client_document'
  | 'jwks_uri'
  | 'request_uri'
  | 'sector_identifier_uri'
  | 'hook'
  | 'ciba_notification'
  | 'trusted_issuer';

const texts = {
  invalid_url: 'is not a URL that may be called',
  plain_http: 'is not https, and not among outbound.allow',
  private_address: 'is at an address that is not public, and not among outbound.allow',
  unreachable: 'can not be reached',
  timeout: 'did not answer in time',
  too_large: 'answered more than is accepted',
  aborted: 'was not waited for',
} as const;

export type OutboundFailure = keyof typeof texts;

/** A failed outbound request. Its message names purpose and host, but no path, query, header or body. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly purpose: OutboundPurpose;
  /** The host and port. Undefined if the text is no URL. */
  readonly host: string;
  readonly reason: OutboundFailure;

  constructor(
    at: { readonly purpose: OutboundPurpose; readonly host: string },
    reason: OutboundFailure,
    options?: ErrorOptions,
  ) {
    super(`${at.purpose}: ${at.host === '' ? 'what was given' : at.host} ${texts[reason]}`, options);
    this.purpose = at.purpose;
    this.host = at.host;
    this.reason = reason;
  }
}
