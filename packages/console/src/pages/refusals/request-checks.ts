import type { CheckId } from '../../messages/refusals/en.ts';

/** An error of the authorization endpoint. */
export interface RequestError {
  readonly error: string;
  readonly description: string;
}

interface RequestCheck {
  readonly id: CheckId;
  /** The error codes that only this check has. */
  readonly errors?: readonly string[];
  /** Descriptions of errors with a code that several checks have. */
  readonly description?: RegExp;
}

/**
 * The checks of an authorization request, in the order of the server (`endpoints/authorization/validate.ts`), and the errors
 * that name each. A test sends wrong requests to the server for each of them.
 */
const requestChecks: readonly RequestCheck[] = [
  { id: 'endpoint' },
  { id: 'flow' },
  {
    id: 'limits',
    errors: ['uri_too_long'],
    description:
      /control characters|is too long|names more than \d+ scopes|nested too deep|more than \d+ parameters|redirect_uri must not be given twice/,
  },
  { id: 'clientId', description: /missing required parameter 'client_id'|'client_id' parameter must not/ },
  { id: 'client', errors: ['invalid_client', 'client_document_unavailable', 'invalid_client_metadata'] },
  { id: 'redirectUri', errors: ['invalid_redirect_uri'], description: /redirect_uri is missing/ },
  { id: 'once', description: /must not be provided twice/ },
  { id: 'requestSource', description: /request and request_uri parameters MUST NOT/ },
  {
    id: 'requestObject',
    errors: ['invalid_request_object', 'invalid_request_uri', 'request_not_supported', 'request_uri_not_supported'],
  },
  { id: 'pushedOnly', description: /Pushed Authorization Request must be used/ },
  { id: 'signedOnly', description: /Request Object must be used/ },
  { id: 'responseTypeOffered', description: /unsupported response_type/ },
  { id: 'responseType', errors: ['unsupported_response_type'], description: /parameter 'response_type'/ },
  { id: 'responseMode', errors: ['unsupported_response_mode'], description: /response_mode is not allowed/ },
  { id: 'registration', errors: ['registration_not_supported'] },
  { id: 'replay', description: /missing required parameter '(?:nonce|state)'/ },
  { id: 'prompt', description: /prompt/ },
  { id: 'scopeSyntax', description: /scope contains invalid characters/ },
  { id: 'openid', description: /openid (?:scope )?must be/ },
  { id: 'pkce', description: /code_challenge|PKCE/ },
  { id: 'claims', description: /\bclaims\b/ },
  { id: 'details', errors: ['invalid_authorization_details'] },
  { id: 'resource', errors: ['invalid_target'] },
  { id: 'hint', description: /id_token_hint/ },
  { id: 'scope', errors: ['invalid_scope'] },
  { id: 'audience', description: /registered for this audience/ },
  { id: 'maxAge', description: /max_age must be/ },
];

export const requestOrder: readonly CheckId[] = requestChecks.map(({ id }) => id);

/** Codes of several checks, which their descriptions tell apart. */
const shared: ReadonlySet<string> = new Set(['invalid_request', 'invalid_scope', 'unsupported_response_type']);

/** The check that an error comes from. */
export const checkOf = ({ error, description }: RequestError): CheckId => {
  const byDescription = shared.has(error)
    ? requestChecks.find((check) => check.description?.test(description))
    : undefined;
  const byCode = requestChecks.find(({ errors }) => errors?.includes(error));
  return (byDescription ?? byCode)?.id ?? 'other';
};
