import { assertChallenge } from '../../grants/pkce.ts';
import type { ProviderClient } from '../../library/clients.ts';
import { invalidRequest, OAuthError } from '../../oauth-error.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import type { EndpointDependencies } from '../dependencies.ts';
import type { AuthorizationRequest, RequestParams } from './request.ts';

/** As oidc-provider names them. */
export type ResponseType = Parameters<ProviderClient['responseTypeAllowed']>[0];

const missing = (name: string): OAuthError => invalidRequest(`missing required parameter '${name}'`);

const profileOf = ({ features }: EndpointDependencies['options']): '1.0 Final' | '2.0' | undefined =>
  features.fapi.enabled ? (features.fapi.profile ?? '2.0') : undefined;

/**
 * The redirect URI of a request. OAuth allows a client with one redirect URI to omit it (RFC 6749, section 3.1.2.3), OpenID
 * Connect does not (Core, section 3.1.2.1), and FAPI does not (1.0 Baseline, section 5.2.2, 9).
 */
export const receiverOf = (params: RequestParams, client: ProviderClient, { options }: EndpointDependencies) => {
  const { redirect_uri: uri } = params;
  const mayOmit = profileOf(options) === undefined && !spaceDelimited(params.scope).includes('openid');
  const [only, ...more] = client.redirectUris ?? [];
  if (uri === undefined && only !== undefined && more.length === 0 && mayOmit) return only;
  if (uri === undefined) throw invalidRequest('redirect_uri is missing');
  // The one step that keeps codes from other receivers: simple string comparison (RFC 9700, section 2.1).
  if (client.redirectUriAllowed(uri)) return uri;
  throw new OAuthError(
    'invalid_redirect_uri',
    "redirect_uri did not match any of the client's registered redirect_uris",
  );
};

/** OAuth 2.0 Multiple Response Type Encoding Practices, section 5: the order of the values has no meaning. */
export const responseTypeOf = (
  { response_type: sent }: RequestParams,
  client: ProviderClient,
  { responseTypes }: EndpointDependencies,
): ResponseType => {
  if (sent === undefined) throw missing('response_type');
  const type = spaceDelimited(sent).sort().join(' ') as ResponseType;
  if (client.responseTypeAllowed(type)) return type;
  const isOffered = responseTypes.has(type);
  const problem = isOffered
    ? 'the client is not registered for this response_type'
    : 'unsupported response_type requested';
  throw new OAuthError('unsupported_response_type', problem);
};

/** "A response mode that is not supported" is refused by the default mode (Multiple Response Types, section 2.1). */
export const assertResponseMode = (
  { response_mode: sent }: RequestParams,
  type: ResponseType,
  client: ProviderClient,
  { options, responseModes }: EndpointDependencies,
): void => {
  if (sent !== undefined && !responseModes.isSupported(sent))
    throw new OAuthError('unsupported_response_mode', 'unsupported response_mode requested');
  const mode = responseModes.of({ response_type: type, ...(sent === undefined ? {} : { response_mode: sent }) });
  // FAPI 1.0 Advanced, section 5.2.2, 2: the client compares its parameters with a signature.
  if (!client.responseModeAllowed(sent ?? mode.delivery, type, profileOf(options)))
    throw invalidRequest('requested response_mode is not allowed for this client or request');
  // Tokens in a query end up in logs (Multiple Response Types, section 3).
  if (mode.delivery !== 'query' || !type.includes('token')) return;
  const problem = 'requested response_mode is not allowed for the requested response_type';
  if (!mode.isJwt) throw invalidRequest(problem);
  if (client.authorizationEncryptedResponseAlg === undefined) throw invalidRequest(`${problem} unless encrypted`);
};

/** "nonce: REQUIRED" (OpenID Connect Core, sections 3.2.2.1 and 3.3.2.11); FAPI 1.0 Baseline, section 5.2.2.2 and 3. */
export const assertReplayProtection = (
  params: RequestParams,
  type: ResponseType,
  { options }: EndpointDependencies,
): void => {
  if (type.includes('id_token') && params.nonce === undefined) throw missing('nonce');
  if (profileOf(options) !== '1.0 Final') return;
  const name = spaceDelimited(params.scope).includes('openid') ? 'nonce' : 'state';
  if (params[name] === undefined) throw missing(name);
};

/** Whether a client has to prove that a code is its own (RFC 7636, section 4.4.1). */
const needsPkce = (
  { pkceRequired }: EndpointDependencies['options'],
  { clientAuthMethod }: { readonly clientAuthMethod?: string },
): boolean => pkceRequired === 'always' || (pkceRequired === 'public' && clientAuthMethod === 'none');

export const assertPkce = (
  { isPushed, params }: AuthorizationRequest,
  type: ResponseType,
  client: ProviderClient,
  { options }: EndpointDependencies,
): void => {
  const profile = profileOf(options);
  // FAPI 2.0, section 5.3.2.2, 5; FAPI 1.0 Advanced, section 5.2.2, 18, for pushed requests.
  const isOfProfile = profile === '2.0' || (profile !== undefined && isPushed);
  const { code_challenge: challenge, code_challenge_method: method } = params;
  assertChallenge({ challenge, method }, type.includes('code') && (isOfProfile || needsPkce(options, client)));
};
