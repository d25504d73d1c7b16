import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { grantTypes } from '../../clients/grant-types.ts';
import { CarnetError, fieldError } from '../../errors.ts';
import { createFlowId } from '../../flow/flow-id.ts';
import { requestKey } from '../../flow/polled-requests.ts';
import type { OutboundResponse } from '../../outbound/outbound-client.ts';
import { authRequestIdValue } from '../../tokens/token-value.ts';
import { polledRequestModel } from '../models/polled-request-model.ts';
import { backchannelAuthenticationPath as path } from '../paths.ts';
import { stringParams } from '../string-params.ts';
import type { Feature, FeatureDependencies } from './feature.ts';

/**
 * oidc-provider requires an endpoint. Carnet calls the registered one with the outbound client, which checks its
 * address.
 */
const neverCalled = 'https://never-called.invalid/';

interface AuthenticationRequest {
  /** The value with which the client polls. */
  readonly jti: string;
  readonly exp?: number;
  readonly expiration: number;
}

/** Shown to the user on both devices, so that it must be short and printable (section 7.1). */
const messagePattern = /^[\x20-\x7e]{1,64}$/;

const validateBindingMessage = (_ctx: unknown, message: string | undefined): void => {
  if (message === undefined || messagePattern.test(message)) return;
  throw new errors.InvalidBindingMessage('binding_message must be 1 to 64 printable ASCII characters');
};

const refuseParameter = (name: string) => (value: unknown) => {
  if (value !== undefined) throw new errors.InvalidRequest(`${name} is not supported`);
};

/** Only a client that is registered for user codes may send one (section 7.1). */
const validateUserCode = ({ oidc }: KoaContextWithOIDC, _account: unknown, userCode: string | undefined): void => {
  if (userCode === undefined || oidc.client?.backchannelUserCodeParameter) return;
  throw new errors.InvalidRequest('the client is not registered for user_code (backchannel_user_code_parameter)');
};

/** The reasons for which the app may refuse to ask its user, by the code in its response (section 13). */
const refusals: ReadonlyMap<unknown, () => Error> = new Map<unknown, () => Error>([
  ['unknown_user_id', () => new errors.UnknownUserId('could not identify end-user')],
  ['missing_user_code', () => new errors.MissingUserCode('user_code is required for this user')],
  ['invalid_user_code', () => new errors.InvalidUserCode('user_code is not valid for this user')],
]);

const errorIn = (body: string): unknown => {
  try {
    return (JSON.parse(body) as { readonly error?: unknown } | null)?.error;
  } catch {
    return undefined;
  }
};

/** The reason for which the app does not ask its user; undefined if it asks, or gives no reason. */
const refusalIn = ({ status, body }: Pick<OutboundResponse, 'status' | 'body'>): Error | undefined => {
  if (status < 400 || status >= 500) return undefined;
  return refusals.get(status === 404 ? 'unknown_user_id' : errorIn(body))?.();
};

/**
 * Notifies the app that contacts users on their own devices. The notification has only a challenge: the app reads the
 * request from the admin API, so that a forged notification is useless.
 */
const createNotification = ({ options, tokens, outbound, now }: FeatureDependencies) => {
  const url = options.urls.backchannelAuthentication ?? '';

  return async (ctx: KoaContextWithOIDC, request: AuthenticationRequest): Promise<void> => {
    const { client, params = {} } = ctx.oidc;
    const expiresAt = Math.floor(now() / 1000) + request.expiration;
    const key = requestKey('backchannel_request', request.jti);
    const backchannel_challenge = await tokens.seal('backchannel_challenge', {
      id: createFlowId(now()),
      expiresAt,
      params: { ...stringParams(params), client_id: client?.clientId ?? '', auth_req_id: request.jti },
      waiting: { kind: 'backchannel_request', id: key.id, expiresAt },
    });
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
    throw new errors.TemporarilyUnavailable('the user cannot be notified now');
  };
};

const expiresIn =
  (mostSeconds: number) =>
  (ctx: KoaContextWithOIDC): number =>
    Math.min(mostSeconds, Number(ctx.oidc.params?.requested_expiry ?? mostSeconds));

const metadataOf = ({ backchannel_token_delivery_mode: mode = 'poll', ...metadata }: RegisteredMetadata) => ({
  backchannel_token_delivery_mode: mode,
  backchannel_client_notification_endpoint: mode === 'ping' ? neverCalled : undefined,
  backchannel_user_code_parameter: metadata.backchannel_user_code_parameter,
  backchannel_authentication_request_signing_alg: metadata.backchannel_authentication_request_signing_alg,
});

const nameRequests = (provider: Provider): void => {
  const { BackchannelAuthenticationRequest } = provider as unknown as Record<string, { prototype: object }>;
  Object.assign(BackchannelAuthenticationRequest?.prototype ?? {}, { generateTokenId: authRequestIdValue });
};

/**
 * Backchannel authentication (OpenID CIBA Core 1.0), poll and ping. The decision of the user is in
 * `requests/backchannel.ts`.
 */
export const ciba: Feature = {
  name: 'ciba',
  clientFields: {
    backchannel_token_delivery_mode: Boolean,
    backchannel_user_code_parameter: Boolean,
    backchannel_authentication_request_signing_alg: Boolean,
  },
  refuse: (metadata) => {
    if (!metadata.grant_types.includes(grantTypes.ciba)) return undefined;
    if (metadata.token_endpoint_auth_method === 'none') {
      const problem = `A client has to authenticate for ${grantTypes.ciba}: choose another token_endpoint_auth_method.`;
      return new CarnetError('invalid_client_metadata', problem, { field: 'token_endpoint_auth_method' });
    }
    const isPinged = metadata.backchannel_token_delivery_mode === 'ping';
    return isPinged && metadata.backchannel_client_notification_endpoint === undefined
      ? fieldError('backchannel_client_notification_endpoint', 'is required for delivery mode ping.')
      : undefined;
  },
  create: (deps) => {
    const { pollingIntervalSeconds, requestSeconds } = deps.options.features.ciba;
    const name = 'BackchannelAuthenticationRequest';
    return {
      upstream: {
        ciba: {
          enabled: true,
          deliveryModes: ['poll', 'ping'],
          // The notified app interprets the hint, or answers 404.
          processLoginHint: (_ctx: unknown, hint: string) => hint,
          processLoginHintToken: (_ctx: unknown, value: unknown) => refuseParameter('login_hint_token')(value),
          // The app knows the codes of its users, and answers the notification by them.
          verifyUserCode: validateUserCode,
          validateRequestContext: (_ctx: unknown, value: unknown) => refuseParameter('request_context')(value),
          validateBindingMessage,
          triggerAuthenticationDevice: createNotification(deps),
        },
      },
      configuration: { ttl: { [name]: expiresIn(requestSeconds) } } as never,
      models: {
        [name]: polledRequestModel({ ...deps.modelOptions, kind: 'backchannel_request' }),
      },
      endpoints: { backchannel_authentication: { path, methods: ['POST'] } },
      grantTypes: [grantTypes.ciba],
      clientMetadata: (metadata) => (metadata.grant_types.includes(grantTypes.ciba) ? metadataOf(metadata) : {}),
      middleware: async (ctx, next) => {
        await next();
        if (ctx.path !== path || ctx.status !== 200) return;
        ctx.body = { ...(ctx.body as object), interval: pollingIntervalSeconds };
      },
      install: nameRequests,
    };
  },
};
