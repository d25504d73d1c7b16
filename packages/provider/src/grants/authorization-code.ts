import type { Envelope } from '../flow/envelope.ts';
import { type DecidedFlow, type FlowState, isDecided } from '../flow/flow-state.ts';
import { openState } from '../flow/state-by-reference.ts';
import { invalidGrant, invalidRequest } from '../oauth-error.ts';
import { codePrefix } from '../tokens/token-value.ts';
import type { Grant, RequestStore, TokenRequest } from './grant.ts';
import { assertPossession } from './pkce.ts';
import { redeem } from './redemption.ts';
import type { UserGrantDependencies } from './user-tokens.ts';

const grantType = 'authorization_code';

/** An authorization code is the sealed flow: it is opened, and looked up in the store only if it is a reference. */
const open = (value: string, envelope: Envelope, store: RequestStore) =>
  value.startsWith(codePrefix)
    ? openState(envelope, 'authorization_code', value.slice(codePrefix.length), store)
    : undefined;

/** @throws {OAuthError} `invalid_grant` unless the code is alive and the client's */
const assertAlive = (state: FlowState | undefined, clientId: string, nowMs: number): DecidedFlow => {
  if (state === undefined || !isDecided(state) || state.expiresAt <= Math.floor(nowMs / 1000)) throw invalidGrant();
  if (state.params.client_id !== clientId) throw invalidGrant();
  return state;
};

/** A code is redeemed with the `redirect_uri` of its request, unless the request had none (RFC 6749, section 4.1.3). */
const assertRedirectUri = ({ redirectUriOmitted, params }: DecidedFlow, { parameters }: TokenRequest): void => {
  const sent = parameters.get('redirect_uri');
  if (sent === undefined && !redirectUriOmitted)
    throw invalidRequest('redirect_uri is missing: send the one of the authorization request');
  if (sent !== undefined && sent !== params.redirect_uri) throw invalidGrant();
};

/** The code was requested for a key (RFC 9449, section 10). */
const assertKey = ({ params }: DecidedFlow, { keys }: TokenRequest): void => {
  if (params.dpop_jkt !== undefined && params.dpop_jkt !== keys.jkt) throw invalidGrant();
};

/** The authorization code grant (RFC 6749, section 4.1.3). */
export const createAuthorizationCodeGrant = (deps: UserGrantDependencies): Grant => ({
  parameters: ['code', 'redirect_uri', 'code_verifier', 'resource'],
  async issue(request) {
    const { record: client, parameters, store } = request;
    const code = parameters.get('code');
    if (code === undefined) throw invalidRequest("missing required parameter 'code'");
    const opened = open(code, deps.envelope, store);
    const state = assertAlive(opened instanceof Promise ? await opened : opened, client.id, deps.now());
    const { code_challenge: challenge, code_challenge_method: method } = state.params;
    assertPossession({ challenge, method }, parameters.get('code_verifier'));
    assertRedirectUri(state, request);
    assertKey(state, request);
    return redeem(request, { state, grantType, gty: grantType }, deps);
  },
});
