import { invalidRequest, OAuthError } from '../oauth-error.ts';
import { openFromClient, type RequestReader } from './authorization/open-request.ts';
import type { Validate } from './authorization/validate.ts';
import { type ClientAnswer, createPublicQuota } from './client-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';

const route = 'pushed_authorization_request';
/** Seconds: as long as a browser needs to arrive (FAPI 2.0 Security Profile, section 5.3.2.2, 12). */
const maxLifetime = 60;

/** `POST /oauth2/par` (RFC 9126): a client sends its authorization request, which is validated and stored. */
export const createPushedRequestEndpoint = (
  deps: Pick<EndpointDependencies, 'proveKeys' | 'pushedRequests' | 'now'> & RequestReader,
): ClientAnswer => {
  const { validator, proveKeys, pushedRequests, now } = deps;
  const assertQuota = createPublicQuota(now);

  /** The client gets the refusal of its redirect URI, as any other (RFC 9126, section 2.3). */
  const receiverOf: Validate['receiver'] = (params, client) => {
    try {
      return validator.receiver(params, client);
    } catch (error) {
      throw error instanceof OAuthError ? invalidRequest(error.error_description ?? '') : error;
    }
  };

  return async (request, { client, record }, store) => {
    // The one step that keeps a proof of a refused request from being replayed: it is used up before the request is read.
    const { keys, proof, headers } = await proveKeys(route, request.message, record.id);
    if (proof) store.use(proof);
    const opened = await openFromClient(deps, route, request, client);
    const named = validator.pick(opened.params);
    const withReceiver = { ...named, redirect_uri: receiverOf(named, client) };
    const params = validator.validate({ ...opened, params: withReceiver, isPushed: true }, client);
    // The code is bound to the key of the proof (RFC 9449, section 10.1).
    const { dpop_jkt = keys.jkt } = params;
    if (keys.jkt !== undefined && dpop_jkt !== keys.jkt)
      throw invalidRequest('DPoP proof key thumbprint does not match dpop_jkt');
    assertQuota(client);
    const seconds = Math.floor(now() / 1000);
    const expires_in = Math.min(maxLifetime, (opened.expiresAt ?? Number.POSITIVE_INFINITY) - seconds);
    if (expires_in <= 0) throw new OAuthError('invalid_request_object', 'the request object has expired');
    const { requestUri, record: stored } = pushedRequests.create({
      params: dpop_jkt === undefined ? params : { ...params, dpop_jkt },
      resources: opened.resources,
      expiresAt: seconds + expires_in,
      // A signed request is not a proof of a public client: every browser that has brought it can send it again.
      isAuthenticated: client.clientAuthMethod !== 'none',
      redirectUriOmitted: named.redirect_uri === undefined ? true : undefined,
      extra: opened.extra,
    });
    await store.commit([{ type: 'put', record: stored }]);
    return { status: 201, headers, body: { expires_in, request_uri: requestUri } };
  };
};
