import type { FoundRecord, Write } from '@carnet/adapter-contract';
import { errors, Provider } from 'oidc-provider';
import type { Envelope } from '../../flow/envelope.ts';
import { sidOf } from '../../flow/flow-id.ts';
import { type DecidedFlow, isDecided } from '../../flow/flow-state.ts';
import { fetchStoredState } from '../../flow/state-by-reference.ts';
import { type DecodedState, decodeState } from '../../flow/state-codec.ts';
import { codePayload, pendingGrant } from '../../grants/code-and-grant.ts';
import { sessionEndOf, sessionKey } from '../../sessions/session-record.ts';
import { spaceDelimited } from '../../text/space-delimited.ts';
import { lifetimeOf } from '../../tokens/lifetimes.ts';
import { codePrefix } from '../../tokens/token-value.ts';
import { recordOf } from '../clients.ts';
import { currentState, type RequestState } from '../request-state.ts';
import { type ModelAdapter, type ModelOptions, nothing, revokeOnce } from './model.ts';

type RedemptionOptions = Pick<ModelOptions, 'ttl' | 'redemptions' | 'now'>;

/** Seconds since 1970: when a code was issued. A device or CIBA request has no code and gets its tokens now. */
const issuedAt = ({ expiresAt, waiting }: DecidedFlow, { ttl, now }: RedemptionOptions): number =>
  waiting === undefined ? expiresAt - ttl.authCode : now() / 1000;

/**
 * What is written before the tokens of a flow. The claim is the redemption: of any number of parallel ones, the store lets
 * exactly one through (D1, D5, D11).
 */
export const redemptionOf = (
  state: DecidedFlow,
  { grantId = '', clientId }: Pick<FoundRecord, 'grantId' | 'clientId'>,
  options: RedemptionOptions,
): readonly Write[] => {
  const { ttl, redemptions } = options;
  const claim: Write = { type: 'claim', record: redemptions.record(grantId, clientId) };
  // As of the code: a session that has expired since then may have been ended by a logout before.
  const hasSession =
    state.skipLogin || (sessionEndOf(state, ttl.authenticationSession) ?? 0) > issuedAt(state, options);
  // A code outlives no logout: the merge fails when its session has ended (D4). It stands before the claim, so
  // that in a store which is atomic for one grant only no code is burnt by a session that has ended.
  return hasSession ? [{ type: 'merge', key: sessionKey(sidOf(state)), members: [clientId ?? ''] }, claim] : [claim];
};

/** Tokens for the flow of this request. */
export const redeem = (
  request: RequestState,
  options: RedemptionOptions,
  /** Milliseconds since 1970: until when tokens may live that the flow has brought about before. */
  issuedUntil: (flow: DecidedFlow) => number = () => 0,
): void => {
  const state = request.flow as DecidedFlow;
  const grant = pendingGrant(state);
  for (const write of redemptionOf(state, grant, options)) request.uow.write(write);
  request.grant = { record: grant, isStored: false, expiresAt: issuedUntil(state) };
};

/** What was sealed as an authorization code, if this is one. */
export const decodeCode = (envelope: Envelope, value: string): DecodedState | undefined => {
  if (!value.startsWith(codePrefix)) return undefined;
  const bytes = envelope.open('authorization_code', value.slice(codePrefix.length));
  return bytes && decodeState(bytes);
};

/**
 * A code is redeemed with the `redirect_uri` of its request (RFC 6749, section 4.1.3). Without this check oidc-provider
 * would fill in a missing `redirect_uri` if the client has registered only one.
 */
const assertRedirectUri = ({ redirectUriOmitted }: DecidedFlow): void => {
  const { oidc } = Provider.ctx ?? {};
  if (redirectUriOmitted || oidc?.route !== 'token') return;
  const { redirect_uri } = oidc.body ?? {};
  if (!redirect_uri)
    throw new errors.InvalidRequest('redirect_uri is missing: send the one of the authorization request');
};

/** An authorization code is a flow, sealed once more: it is opened, and stored no sooner than it is redeemed. */
export const codeModel = (options: ModelOptions): ModelAdapter => {
  const { envelope, ttl, redemptions } = options;
  const open = async (value: string): Promise<DecidedFlow | undefined> => {
    const decoded = decodeCode(envelope, value);
    if (decoded === undefined) return undefined;
    const { uow } = currentState();
    const state = decoded.isReference ? await fetchStoredState(envelope, uow.read, decoded) : decoded.state;
    return state && isDecided(state) ? state : undefined;
  };

  /** Milliseconds since 1970: until when an access token may live that came with the code. It needs the grant, too. */
  const issuedUntil = ({ params, expiresAt }: DecidedFlow): number => {
    const client = Provider.ctx?.oidc.client;
    if (client === undefined || !spaceDelimited(params.response_type).includes('token')) return 0;
    const issuedAt = expiresAt - ttl.authCode;
    return (issuedAt + lifetimeOf(recordOf(client), 'implicit', 'access_token', ttl.accessToken)) * 1000;
  };

  return {
    ...nothing,
    async find(value) {
      const state = await open(value);
      if (state === undefined) return undefined;
      assertRedirectUri(state);
      const request = currentState();
      const grant = pendingGrant(state);
      request.uow.know(grant, grant);
      request.flow = state;
      return codePayload(state, value);
    },
    consume: async () => redeem(currentState(), options, issuedUntil),
    revokeByGrantId: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
  };
};
