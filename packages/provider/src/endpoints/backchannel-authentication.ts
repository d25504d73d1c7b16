import { grantTypes } from '../clients/grant-types.ts';
import type { Clock } from '../clock.ts';
import type { Envelope } from '../flow/envelope.ts';
import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import { requestKey, requestRecord } from '../flow/polled-requests.ts';
import type { FeaturesConfig } from '../library/features/config.ts';
import { invalidRequest, OAuthError } from '../oauth-error.ts';
import type { OutboundClient, OutboundResponse } from '../outbound/outbound-client.ts';
import { authRequestIdValue } from '../tokens/token-value.ts';
import { type OpenRequest, openFromClient } from './authorization/open-request.ts';
import type { Validate } from './authorization/validate.ts';
import { backchannelParams } from './backchannel-params.ts';
import { assertGrantType, type ClientAnswer } from './client-endpoint.ts';
import { createPublicQuota } from './public-quota.ts';

export interface BackchannelAuthenticationDependencies extends Clock {
  readonly options: {
    readonly urls: { readonly backchannelAuthentication?: string };
    readonly features: Pick<FeaturesConfig, 'ciba'>;
  };
  readonly openRequest: OpenRequest;
  readonly validator: Validate;
  readonly envelope: Envelope;
  readonly tokens: Pick<FlowTokens, 'seal'>;
  readonly outbound: Pick<OutboundClient, 'send'>;
}

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
const createNotify = ({ options, tokens, outbound }: BackchannelAuthenticationDependencies) => {
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
export const createBackchannelAuthenticationEndpoint = (deps: BackchannelAuthenticationDependencies): ClientAnswer => {
  const { options, validator, envelope, now } = deps;
  const { pollingIntervalSeconds: interval, requestSeconds } = options.features.ciba;
  const notify = createNotify(deps);
  const assertQuota = createPublicQuota(now);

  return async (request, { client }, store) => {
    assertGrantType(client, grantTypes.ciba);
    const opened = await openFromClient(deps, 'backchannel_authentication', request, client).catch(refuseObject);
    const params = { ...validator.validatePolled(opened, client), ...backchannelParams(opened, client) };
    assertQuota(client.clientAuthMethod === 'none');
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
