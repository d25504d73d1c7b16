import type { ProviderClient } from '../library/clients.ts';
import { invalidRequest, OAuthError } from '../oauth-error.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { AuthorizationRequest, RequestParams } from './authorization/request.ts';

/** Shown to the user on both devices, so that it must be short and printable (section 7.1). */
const messageSyntax = /^[\x20-\x7e]{1,64}$/;

/** A bearer token (RFC 6750, section 2.1) of at most 1,024 characters (section 7.1). */
const notificationTokenSyntax = /^(?=.{1,1024}$)[\w.~+/-]+=*$/;

const hints = ['login_hint_token', 'id_token_hint', 'login_hint'] as const;
const notSupported = ['login_hint_token', 'request_context'] as const;

/** The one user whom the request names (section 7.1). The notified app interprets a login hint, or answers 404. */
const assertHint = (params: RequestParams): void => {
  const named = hints.filter((name) => params[name]);
  const what = 'of required parameters login_hint_token, id_token_hint, or login_hint';
  if (named.length === 0) throw invalidRequest(`missing one ${what}`);
  if (named.length > 1) throw invalidRequest(`only one ${what} must be provided`);
};

/** With delivery mode ping the client names the token by which it recognizes the notification (section 7.1). */
const assertNotificationToken = (token: string | undefined): void => {
  if (token === undefined) throw invalidRequest("missing required parameter 'client_notification_token'");
  if (!notificationTokenSyntax.test(token))
    throw invalidRequest('client_notification_token must be a bearer token of at most 1024 characters');
};

/**
 * Validates the parameters that only backchannel requests have (OpenID CIBA Core, section 7.1).
 *
 * @throws {OAuthError} for the first check that fails
 */
export const backchannelParams = (
  { params, isSigned }: AuthorizationRequest,
  client: ProviderClient,
): Readonly<Record<string, string>> => {
  const { binding_message, user_code, requested_expiry, client_notification_token: token } = params;
  if (client.backchannelAuthenticationRequestSigningAlg !== undefined && !isSigned)
    throw invalidRequest('Request Object must be used by this client');
  if (!spaceDelimited(params.scope).includes('openid'))
    throw invalidRequest('openid scope must be requested for this request');
  const isPinged = client.backchannelTokenDeliveryMode === 'ping';
  if (isPinged) assertNotificationToken(token);
  const unsupported = notSupported.find((name) => params[name]);
  if (unsupported) throw invalidRequest(`${unsupported} is not supported`);
  assertHint(params);
  if (binding_message && !messageSyntax.test(binding_message))
    throw new OAuthError('invalid_binding_message', 'binding_message must be 1 to 64 printable ASCII characters');
  // Only a client that is registered for user codes may send one. The app knows the codes of its users.
  if (user_code && client.backchannelUserCodeParameter !== true)
    throw invalidRequest('the client is not registered for user_code (backchannel_user_code_parameter)');
  if (requested_expiry && !/^[1-9]\d{0,14}$/.test(requested_expiry))
    throw invalidRequest('requested_expiry must be a whole number of seconds, in digits only');
  const sent = {
    binding_message,
    user_code,
    requested_expiry,
    client_notification_token: isPinged ? token : undefined,
  };
  return Object.fromEntries(Object.entries(sent).flatMap(([name, value]) => (value ? [[name, value]] : [])));
};
