import { grantTypes } from '../clients/grant-types.ts';
import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { requestKey, requestRecord } from '../flow/polled-requests.ts';
import type { ProviderClient } from '../library/clients.ts';
import { invalidRequest, OAuthError } from '../oauth-error.ts';
import type { OutboundResponse } from '../outbound/outbound-client.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { authRequestIdValue } from '../tokens/token-value.ts';
import { openFromClient, type RequestReader } from './authorization/open-request.ts';
import type { AuthorizationRequest, RequestParams } from './authorization/request.ts';
import { assertGrantType, type ClientAnswer, createPublicQuota } from './client-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';

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
const backchannelParams = (
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

/** The reasons for which the app may refuse to ask its user, by the code in its response (section 13). */
const refusals: ReadonlyMap<unknown, string> = new Map([
  ['unknown_user_id', 'could not identify end-user'],
  ['missing_user_code', 'user_code is required for this user'],
  ['invalid_user_code', 'user_code is not valid for this user'],
]);

const errorIn = (body: string): unknown => {
  try {
    return (JSON.parse(body) as { readonly error?: unknown } | null)?.error;
  } catch {
    return undefined;
  }
};

/** The reason for which the app does not ask its user; undefined if it asks, or gives no reason. */
const refusalIn = ({ status, body }: Pick<OutboundResponse, 'status' | 'body'>): OAuthError | undefined => {
  if (status < 400 || status >= 500) return undefined;
  const code = status === 404 ? 'unknown_user_id' : errorIn(body);
  const description = refusals.get(code);
  return description === undefined ? undefined : new OAuthError(String(code), description);
};

/**
 * Notifies the app that contacts users on their own devices. The notification has only a challenge: the app reads the
 * request from the admin API, so that a forged notification is useless.
 */
const createNotify = ({ options, tokens, outbound }: Pick<EndpointDependencies, 'options' | 'tokens' | 'outbound'>) => {
  const url = options.urls.backchannelAuthentication ?? '';

  return async (state: FlowState): Promise<void> => {
    const backchannel_challenge = await tokens.seal('backchannel_challenge', state);
    const answer = await outbound
      .send({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ backchannel_challenge }),
        purpose: 'hook',
      })
      .catch(() => undefined);
    const refusal = answer && refusalIn(answer);
    if (refusal) throw refusal;
    if (answer !== undefined && answer.status >= 200 && answer.status < 300) return;
    throw new OAuthError('temporarily_unavailable', 'the user cannot be notified now');
  };
};

/** The error of a refused request object (CIBA, section 13). */
const refuseObject = (error: unknown): never => {
  const isOfObject = error instanceof OAuthError && error.error === 'invalid_request_object';
  throw isOfObject ? invalidRequest(error.error_description ?? 'the request object is refused') : error;
};

/**
 * `POST /oauth2/bc-authorize` (OpenID CIBA Core, section 7): has the user asked on their own device, and stores the
 * request. The decision of the user is in `requests/backchannel.ts`.
 */
export const createBackchannelAuthenticationEndpoint = (
  deps: Pick<EndpointDependencies, 'options' | 'tokens' | 'envelope' | 'outbound' | 'now'> & RequestReader,
): ClientAnswer => {
  const { options, validator, envelope, now } = deps;
  const { pollingIntervalSeconds: interval, requestSeconds } = options.features.ciba;
  const notify = createNotify(deps);
  const assertQuota = createPublicQuota(now);

  return async (request, { client }, store) => {
    assertGrantType(client, grantTypes.ciba);
    const opened = await openFromClient(deps, 'backchannel_authentication', request, client).catch(refuseObject);
    const params = { ...validator.validatePolled(opened, client), ...backchannelParams(opened, client) };
    assertQuota(client);
    const expires_in = Math.min(requestSeconds, Number(params.requested_expiry ?? requestSeconds));
    const expiresAt = Math.floor(now() / 1000) + expires_in;
    const auth_req_id = authRequestIdValue();
    const key = requestKey('backchannel_request', auth_req_id);
    // The client's assertion is used up first, so that a replayed request asks no user (D6).
    await store.end();
    await notify({
      id: createFlowId(now()),
      expiresAt,
      params: { ...params, auth_req_id },
      waiting: { kind: 'backchannel_request', id: key.id, expiresAt },
    });
    const record = requestRecord(envelope, key, { id: createFlowId(now()), expiresAt, params });
    await store.commit([{ type: 'put', record }]);
    return { status: 200, body: { expires_in, auth_req_id, interval } };
  };
};
