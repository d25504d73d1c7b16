/** Why a sign-in has failed. Codes only: texts of an answer never reach the log. */
export type SamlReason =
  | 'assertion_used'
  | 'forbidden_markup'
  | 'invalid_answer'
  | 'invalid_base64'
  | 'invalid_metadata'
  | 'invalid_signature'
  | 'malformed_xml'
  | 'metadata_expired'
  | 'no_answer'
  | 'no_authn_statement'
  | 'no_decryption_key'
  | 'no_redirect_binding'
  | 'not_decrypted'
  | 'other_flow'
  | 'too_large'
  | 'too_old'
  | 'unexpected_structure'
  | 'unreachable'
  | 'refused_algorithm'
  | 'wrong_audience'
  | 'wrong_destination'
  | 'wrong_issuer'
  | 'wrong_recipient'
  | 'wrong_time';

export class SamlError extends Error {
  override readonly name = 'SamlError';
  readonly reason: SamlReason;

  constructor(reason: SamlReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The reason of an error: that of the outgoing client too, such as `timeout`. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof SamlError) return error.reason;
  if (error instanceof Error && 'reason' in error && typeof error.reason === 'string') return error.reason;
  return 'error';
};
