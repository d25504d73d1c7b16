import type { FeaturesConfig } from '../../library/features/config.ts';

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

/**
 * The parameters that a flow keeps. Others are ignored (RFC 6749, section 3.1). The API shows them in this order, in
 * `request_url`.
 */
export const keptParams = ({
  claimsParameter,
  resourceIndicators,
  rar,
  dpop,
}: Pick<FeaturesConfig, 'claimsParameter' | 'dpop' | 'rar' | 'resourceIndicators'>) => [
  'acr_values',
  'claims_locales',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ui_locales',
  ...(claimsParameter.enabled ? ['claims'] : []),
  ...(resourceIndicators.enabled ? ['resource'] : []),
  ...(rar.enabled ? ['authorization_details'] : []),
  'audience',
  ...(dpop.enabled ? ['dpop_jkt'] : []),
];

/** Parameters of requests with a redirect. */
export const redirectParams: ReadonlySet<string> = new Set([
  'code_challenge',
  'code_challenge_method',
  'dpop_jkt',
  'prompt',
  'redirect_uri',
  'response_mode',
  'response_type',
  'state',
]);
