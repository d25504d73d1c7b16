import { LRUCache } from 'lru-cache';
import { errors, Provider } from 'oidc-provider';
import { createTokenBucket } from '../../concurrency/token-bucket.ts';
import { CarnetError } from '../../errors.ts';
import { createFlowId } from '../../flow/flow-id.ts';
import type { FlowState, PolledRequest } from '../../flow/flow-state.ts';
import { isDecided } from '../../flow/flow-state.ts';
import { decisionKey, openDecision, openRequest, requestKey, requestRecord } from '../../flow/polled-requests.ts';
import { codePayload, pendingGrant } from '../../grants/code-and-grant.ts';
import { currentState, rememberFailure } from '../request-state.ts';
import { redeem } from './code-model.ts';
import { type ModelAdapter, type ModelOptions, nothing, revokeOnce } from './model.ts';

export interface PolledRequestModelOptions extends ModelOptions {
  readonly kind: PolledRequest['kind'];
  /** What oidc-provider calls the model. */
  readonly name: string;
  readonly pollingIntervalSeconds: number;
}

/** The stored members of oidc-provider's model. */
interface PolledRequestPayload {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly params: object;
  readonly clientId: string;
}

/** Any caller can send requests for a public client: they are limited, so that the number of rows is bounded. */
const publicPerSecond = 20;
const publicAtOnce = 200;
/** A timer that fires early is no offence. */
const earlyMs = 1_000;
const rememberedPolls = 50_000;

/** Refuses who asks again too soon. Counted by each process for itself: a poll costs no write. */
const createPollingLimit = ({ pollingIntervalSeconds, now }: PolledRequestModelOptions): ((id: string) => void) => {
  const polls = new LRUCache<string, number>({ max: rememberedPolls });
  return (id) => {
    const last = polls.get(id);
    polls.set(id, now());
    if (last !== undefined && now() - last < pollingIntervalSeconds * 1000 - earlyMs) throw new errors.SlowDown();
  };
};

/** Whoever said no, said no: a closed set of codes goes to the client (RFC 8628, section 3.5). */
const denied = ({ rejection }: FlowState) => ({ error: 'access_denied', errorDescription: rejection?.description });

const stringsOf = (params: object): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/**
 * A request that its client polls for. What the person has decided is a flow that was decided, as an authorization code
 * is one, and redeemed like it.
 */
export const polledRequestModel = (options: PolledRequestModelOptions): ModelAdapter => {
  const { envelope, redemptions, kind, name, now } = options;
  const assertNotTooSoon = createPollingLimit(options);
  const mayAsk = createTokenBucket({ perSecond: publicPerSecond, atOnce: publicAtOnce, now });

  const put = async (value: string, payload: Record<string, unknown>): Promise<void> => {
    if (Provider.ctx?.oidc.client?.clientAuthMethod === 'none' && !mayAsk()) {
      throw new CarnetError('too_busy', 'Too many requests are made for public clients. Try again in a moment.');
    }
    const { exp, params, clientId } = payload as unknown as PolledRequestPayload;
    // The authenticated client, because a request object need not repeat `client_id` as a claim.
    const asked = { ...stringsOf(params), client_id: clientId };
    const state: FlowState = { id: createFlowId(now()), expiresAt: exp, params: asked };
    const record = requestRecord(envelope, requestKey(kind, value), state);
    currentState().uow.write({ type: 'put', record });
  };

  return {
    ...nothing,
    upsert: (value, payload) => rememberFailure(currentState(), () => put(value, payload)),
    async find(value) {
      const request = currentState();
      const key = requestKey(kind, value);
      const [record, decision] = await Promise.all([request.uow.read(key), request.uow.read(decisionKey(key))]);
      const asked = record && openRequest(envelope, record);
      if (asked === undefined) return undefined;
      if (asked.expiresAt <= now() / 1000) throw new errors.ExpiredToken();
      const pending = { jti: value, kind: name, clientId: record?.clientId, exp: asked.expiresAt };
      if (decision === undefined) {
        assertNotTooSoon(key.id);
        return pending;
      }
      const state = openDecision(envelope, key, decision);
      if (state === undefined) return undefined;
      if (!isDecided(state) || state.rejection || state.consent.scopes.length === 0) {
        return { ...pending, ...denied(state) };
      }
      const grant = pendingGrant(state);
      request.uow.know(grant, grant);
      request.flow = state;
      return { ...codePayload(state, value), ...pending };
    },
    async consume() {
      const request = currentState();
      // Nothing comes of a refusal, however often it is asked for.
      if (request.flow) redeem(request, options);
    },
    revokeByGrantId: async (grantId) => revokeOnce(currentState(), redemptions, grantId),
  };
};
