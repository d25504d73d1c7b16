import type { StorageAdapter } from '@carnet/adapter-contract';
import { atMost, createTokenBucket } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';
import { type Clock, clockSkewSeconds } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import type { Envelope } from './envelope.ts';
import type { FlowState } from './flow-state.ts';
import type { Purpose } from './purposes.ts';
import { openState, stateIn, storeState } from './state-by-reference.ts';
import { encodeState } from './state-codec.ts';

export type FlowPurpose = Extract<
  Purpose,
  `${'device' | 'login' | 'consent'}_${'challenge' | 'verifier'}` | 'backchannel_challenge'
>;

/**
 * A longer sealed state is stored by reference, so that Location and Set-Cookie together stay under 4 KB. The first
 * challenge may use almost all of that: any unauthenticated request creates one, and should not write a row.
 */
const maxTokenLengths: Readonly<Partial<Record<FlowPurpose, number>>> = { login_challenge: 3_300 };
const defaultMaxTokenLength = 1_600;
/** The rate at which states of unauthenticated requests are stored. It bounds the number of rows. */
const unauthenticatedPerSecond = 2;
const unauthenticatedAtOnce = 50;
/** Pushed requests expire after a minute. */
const maxExemptions = 20_000;
/** No legitimate login has a larger state. */
const maxStateBytes = 65_536;
/**
 * A token comes back soon after it was sealed, and a challenge twice. This process does not decrypt a token again that it has
 * sealed, or a challenge that it has opened. The expiry is checked on each use.
 */
const maxKnown = 500;

export type Opened<State> =
  | { readonly status: 'open' | 'expired'; readonly state: State }
  | { readonly status: 'invalid' };

/** `expired`: authentic but too old. `invalid`: every other failure, indistinguishably. */
export const openedOf = <State extends { readonly expiresAt: number }>(
  state: State | undefined,
  now: () => number,
): Opened<State> => {
  if (state === undefined) return { status: 'invalid' };
  return { status: state.expiresAt + clockSkewSeconds <= now() / 1000 ? 'expired' : 'open', state };
};

interface FlowTokensOptions extends Clock {
  readonly envelope: Envelope;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
}

export const createFlowTokens = ({ envelope, adapter, now }: FlowTokensOptions) => {
  const mayStore = createTokenBucket({ perSecond: unauthenticatedPerSecond, atOnce: unauthenticatedAtOnce, now });
  /** Anyone who knows a `request_uri` may open it repeatedly. Each pushed request therefore exempts one row only. */
  const used = new LRUCache<string, true>(atMost(maxExemptions));
  const isExempt = (id: string | undefined): boolean => {
    if (id === undefined || used.has(id)) return false;
    used.set(id, true);
    return true;
  };
  /** Bytes of sealed states, because the caller may change the objects of a state afterwards, and opened challenges. */
  const known = new LRUCache<string, { purpose: FlowPurpose; content: Buffer | FlowState }>(atMost(maxKnown));

  const read = (purpose: FlowPurpose, token: string) => {
    const found = known.get(token);
    const content = found?.purpose === purpose ? found.content : undefined;
    if (content && !Buffer.isBuffer(content)) return content;
    const state = content ? stateIn(content) : openState(envelope, purpose, token, adapter);
    // A state stored by reference is read from the store each time and never cached.
    if (state && !(state instanceof Promise) && purpose.endsWith('_challenge'))
      known.set(token, { purpose, content: state });
    return state;
  };

  return {
    /**
     * Seals a state for the next step. Writes nothing, unless the state is too large for a URL (one commit).
     *
     * @param quotaExemption the id of the pushed request of an authenticated client. One large state of it is stored
     * outside the quota
     * @throws CarnetError `invalid_request` over 64 KB; `too_busy` over the quota of unauthenticated requests
     */
    async seal(purpose: FlowPurpose, state: FlowState, quotaExemption?: string): Promise<string> {
      const bytes = encodeState(state);
      if (bytes.length > maxStateBytes) {
        throw new CarnetError(
          'invalid_request',
          `The request and the decisions about it exceed ${maxStateBytes} bytes.`,
        );
      }
      const token = envelope.seal(purpose, bytes);
      if (token.length <= (maxTokenLengths[purpose] ?? defaultMaxTokenLength)) {
        known.set(token, { purpose, content: bytes });
        return token;
      }
      if (purpose === 'login_challenge' && !isExempt(quotaExemption) && !mayStore()) {
        throw new CarnetError(
          'too_busy',
          'Too many large authorization requests. Send a smaller one, or try again in a moment.',
        );
      }
      const { record, reference } = storeState(envelope, state);
      await adapter.commit([{ type: 'put', record }]);
      return envelope.seal(purpose, reference);
    },

    async open(purpose: FlowPurpose, token: string): Promise<Opened<FlowState>> {
      return openedOf(await read(purpose, token), now);
    },
  };
};

export type FlowTokens = ReturnType<typeof createFlowTokens>;
