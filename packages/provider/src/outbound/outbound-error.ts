/** The purpose of a request. */
export type OutboundPurpose =
  | 'backchannel_logout'
  | 'client_document'
  | 'jwks_uri'
  | 'request_uri'
  | 'sector_identifier_uri'
  | 'hook'
  | 'ciba_notification'
  | 'identity_provider'
  | 'trusted_issuer'
  | 'webhook';

const texts = {
  invalid_url: 'is not a valid http or https URL',
  plain_http: 'is not https: use https, or add its host to outbound.allow',
  private_address: 'has an address that is not public: add its host to outbound.allow if it is your own',
  unreachable: 'can not be reached',
  timeout: 'did not answer in time',
  too_large: 'sent a larger response than outbound.maxBytes',
  aborted: 'was cancelled before it answered',
} as const;

export type OutboundFailure = keyof typeof texts;

/** A failed outbound request. Its message names purpose and host, but no path, query, header or body. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  /** The host and port. Undefined if the text is no URL. */
  readonly host: string;
  readonly reason: OutboundFailure;

  constructor(
    at: { readonly purpose: OutboundPurpose; readonly host: string },
    reason: OutboundFailure,
    options?: ErrorOptions,
  ) {
    super(`${at.purpose}: ${at.host === '' ? 'the URL' : at.host} ${texts[reason]}`, options);
    this.host = at.host;
    this.reason = reason;
  }
}
