import { atMost } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';
import { type DecidedFlow, type FlowState, isDecided, type PolledRequest } from '../flow/flow-state.ts';
import { decisionKey, openDecision, openRequest, requestKey } from '../flow/polled-requests.ts';
import { invalidGrant, invalidRequest, OAuthError } from '../oauth-error.ts';
import { bindingOf } from './binding.ts';
import type { Grant, TokenRequest } from './grant.ts';
import { redeem } from './redemption.ts';
import type { UserGrantDependencies } from './user-tokens.ts';

/** A grant type whose client polls until the user has decided elsewhere. */
export interface PolledGrantType {
  readonly kind: PolledRequest['kind'];
  readonly grantType: string;
  /** The value of `gty` in the records of the tokens. */
  readonly gty: string;
  /** The parameter with the value that the client polls with. */
  readonly parameter: string;
  readonly pollingIntervalSeconds: number;
}

/** Milliseconds by which a poll may be early. */
const earlyMs = 1_000;
const rememberedPolls = 50_000;

/** Refuses polls that come too soon. Each process counts in memory, so that a poll writes nothing. */
const createPollingLimit = ({ pollingIntervalSeconds }: PolledGrantType, now: () => number) => {
  const polls = new LRUCache<string, number>(atMost(rememberedPolls));
  return (id: string): void => {
    const last = polls.get(id);
    polls.set(id, now());
    if (last !== undefined && now() - last < pollingIntervalSeconds * 1000 - earlyMs)
      throw new OAuthError('slow_down', 'you are polling too quickly and should back off at a reasonable rate');
  };
};

const pendingText =
  "authorization request is still pending as the end-user hasn't yet completed the user interaction steps";

/** @throws {OAuthError} `access_denied`, whatever error the login or consent app has set (RFC 8628, section 3.5) */
const assertAllowed = (state: FlowState): DecidedFlow => {
  if (isDecided(state) && !state.rejection && state.consent.scopes.length > 0) return state;
  throw new OAuthError('access_denied', state.rejection?.description);
};

/**
 * The grants of devices (RFC 8628, section 3.4) and of backchannel requests (OpenID CIBA Core, section 10.1). A poll
 * reads the request and its decision in one round trip. The decision contains the decided flow, which is redeemed like
 * that of a code.
 */
export const createPolledGrant = (type: PolledGrantType, deps: UserGrantDependencies): Grant => {
  const { kind, grantType, gty, parameter } = type;
  const { envelope, now } = deps;
  const assertNotTooSoon = createPollingLimit(type, now);

  /** @throws {OAuthError} until the user has allowed the request */
  const decided = async (value: string, request: TokenRequest): Promise<DecidedFlow> => {
    const { record: client, store } = request;
    const key = requestKey(kind, value);
    const [record, decision] = await store.read([key, decisionKey(key)]);
    const asked = record && openRequest(envelope, record);
    if (asked === undefined || record?.clientId !== client.id) throw invalidGrant();
    if (asked.expiresAt <= now() / 1000) throw new OAuthError('expired_token');
    if (decision === undefined) {
      // RFC 8705, section 4, and RFC 9449, section 5: a client without its key learns nothing of the request.
      bindingOf(request);
      assertNotTooSoon(key.id);
      throw new OAuthError('authorization_pending', pendingText);
    }
    const state = openDecision(envelope, key, decision);
    if (state === undefined) throw invalidGrant();
    return assertAllowed(state);
  };

  return {
    parameters: [parameter, 'resource'],
    async issue(request) {
      const value = request.parameters.get(parameter);
      if (value === undefined) throw invalidRequest(`missing required parameter '${parameter}'`);
      return redeem(request, { state: await decided(value, request), grantType, gty }, deps);
    },
  };
};
