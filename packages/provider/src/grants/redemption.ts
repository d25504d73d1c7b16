import { setTimeout as delay } from 'node:timers/promises';
import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import { bringsRefreshToken } from '../clients/client-permissions.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import { grantIdOf, sidOf } from '../flow/flow-id.ts';
import type { DecidedFlow } from '../flow/flow-state.ts';
import { invalidGrant } from '../oauth-error.ts';
import { findSuccessor } from '../sessions/session-clients.ts';
import { sessionEndOf, sessionKey, successorKey } from '../sessions/session-record.ts';
import type { StoppedCommit } from '../storage/stopped-commit.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { effectiveGrant } from '../tokens/grant-details.ts';
import { authenticationOf } from '../tokens/id-token.ts';
import { accessTokenLifetime } from '../tokens/lifetimes.ts';
import { refreshTokenValue } from '../tokens/token-value.ts';
import { bindingOf } from './binding.ts';
import type { RequestStore, TokenRequest, TokenResponse } from './grant.ts';
import { grantPayload, pendingGrant, requestedClaims, type UserGrant } from './grant-record.ts';
import { refuseReuse, revokedMeanwhile } from './request-store.ts';
import type { UserGrantDependencies } from './user-tokens.ts';

/**
 * A store whose commits are not atomic writes the successor of a session shortly after the session is consumed. A code that
 * is redeemed in between waits this long before it looks for the successor.
 */
const successorMs = 50;

/**
 * Redeems a code whose user has signed in again in the same browser, so that another session continues its session. The
 * client is added to the record of the session whose `sid` its ID token has, where a logout finds the client.
 *
 * The merge into the latest session fails once that session has ended, so that no code outlives a logout (D4). If the
 * latest login is not remembered, the code is redeemed as one of such a login.
 *
 * @returns whether the tokens were written
 */
const joinSuccessor = async (
  store: RequestStore,
  former: string,
  { conflict: { write }, undone }: StoppedCommit,
  { atomicCommit }: Pick<StorageAdapter['capabilities'], 'atomicCommit'>,
): Promise<boolean> => {
  if (write.type !== 'merge') return false;
  if (atomicCommit !== 'all') await delay(successorMs);
  const latest = await findSuccessor(async (key) => (await store.read([key]))[0], former);
  if (latest === undefined) return false;
  const stopped = await store.commit([
    { type: 'merge', key: successorKey(former), members: write.members },
    ...(latest.sid === undefined ? [] : [{ type: 'merge', key: sessionKey(latest.sid), members: [] } as const]),
    ...undone,
  ]);
  return stopped === undefined;
};

/** A decided flow that a client redeems. */
export interface Redeemed {
  readonly state: DecidedFlow;
  /** `grant_type` of the request. */
  readonly grantType: string;
  /** The value of `gty` in the records of the tokens. */
  readonly gty: string;
}

/** Seconds since 1970: when a code was issued. A device or CIBA request has no code and gets its tokens now. */
const issuedAt = ({ expiresAt, waiting }: DecidedFlow, { options, now }: UserGrantDependencies): number =>
  waiting === undefined ? expiresAt - options.ttl.authCode : now() / 1000;

/**
 * The writes that redeem a flow. The claim is the redemption: the store accepts exactly one of several
 * parallel claims (D1, D5, D11).
 */
const redemptionOf = (state: DecidedFlow, deps: UserGrantDependencies): readonly Write[] => {
  const { options, redemptions } = deps;
  const clientId = state.params.client_id ?? '';
  const claim: Write = { type: 'claim', record: redemptions.record(grantIdOf(state), clientId) };
  // Compared with the time at which the code was issued: a logout may have ended the session before it expired.
  const hasSession =
    state.skipLogin || (sessionEndOf(state, options.ttl.authenticationSession) ?? 0) > issuedAt(state, deps);
  // A code is invalid after a logout: the merge fails if the session has ended (D4). The merge comes before the claim,
  // so that a store that is atomic for one grant only does not use up the code then.
  return hasSession ? [{ type: 'merge', key: sessionKey(sidOf(state)), members: [clientId] }, claim] : [claim];
};

/**
 * Milliseconds since 1970: until when an access token may live that the authorization endpoint issued with the code.
 */
const issuedUntil = (state: DecidedFlow, client: ClientRecord, deps: UserGrantDependencies): number =>
  spaceDelimited(state.params.response_type).includes('token')
    ? (issuedAt(state, deps) + accessTokenLifetime({ client, gty: 'implicit' }, deps.options.ttl)) * 1000
    : 0;

/** @throws {OAuthError} `invalid_grant` if the grant was given to a former client of the same id */
const userGrantOf = ({ state, grantType, gty }: Redeemed, client: ClientRecord, deps: UserGrantDependencies) => {
  const payload = grantPayload(state);
  const effective = effectiveGrant(payload, client, deps.scopeMatch);
  if (effective === undefined) throw invalidGrant();
  const grant: UserGrant = {
    grantType,
    gty,
    scope: payload.scope,
    authentication: authenticationOf({ ...state.login, sid: payload.sid, nonce: state.params.nonce }),
    claims: requestedClaims(state.params),
    resources: payload.resources,
    record: pendingGrant(state, payload),
    isStored: false,
    payload,
    effective,
    issuedUntil: issuedUntil(state, client, deps),
  };
  return grant;
};

/** @throws {OAuthError} `invalid_grant`, unless the session of the flow was continued by another */
const resolve = async (
  store: RequestStore,
  state: DecidedFlow,
  { stopped, deps }: { readonly stopped: StoppedCommit; readonly deps: UserGrantDependencies },
): Promise<void> => {
  const { write } = stopped.conflict;
  const isSession = write.type === 'merge' && write.key.kind === 'session';
  if (isSession && (await joinSuccessor(store, sidOf(state), stopped, deps.adapter.capabilities))) return;
  // The code was redeemed before: this or the earlier request may be an attacker's (D1). If the session has ended, the
  // code may have been redeemed before as well, so the grant is revoked too.
  const isUsed = write.type === 'claim' && write.record.kind === 'authorization_code';
  if (isSession || isUsed) await refuseReuse(store, deps, grantIdOf(state));
  throw revokedMeanwhile(stopped);
};

/**
 * Issues the tokens of a decided flow, once.
 *
 * @throws {OAuthError} `invalid_grant`, `invalid_target`, and the errors of the token hooks
 */
export const redeem = async (
  request: TokenRequest,
  redeemed: Redeemed,
  deps: UserGrantDependencies,
): Promise<TokenResponse> => {
  const { client, record, store, auditContext } = request;
  const { state } = redeemed;
  const grant = userGrantOf(redeemed, record, deps);
  const bound = bindingOf(request);
  auditContext.subject = state.login.subject;
  const iat = Math.floor(deps.now() / 1000);
  const scopes = spaceDelimited(grant.scope);
  // The refresh token of a public client is bound as well (RFC 9449, section 5; RFC 8705, section 4).
  const refreshBound = client.clientAuthMethod === 'none' ? bound : {};
  const refresh = bringsRefreshToken(client, scopes)
    ? { value: refreshTokenValue(grantIdOf(state)), rotations: 0, iiat: iat, bound: refreshBound }
    : undefined;
  const { response, writes } = await deps.issueUserTokens(request, grant, { bound, scopes, refresh, iat });
  const stopped = await store.commit([...redemptionOf(state, deps), ...writes]);
  if (stopped) await resolve(store, state, { stopped, deps });
  return response;
};
