import type { StorageAdapter } from '@carnet/adapter-contract';
import { LRUCache } from 'lru-cache';
import { clockSkewSeconds } from '../clock-skew.ts';
import { createTokenBucket } from '../concurrency/token-bucket.ts';
import { CarnetError } from '../errors.ts';
import type { Envelope } from './envelope.ts';
import type { FlowState } from './flow-state.ts';
import type { Purpose } from './purposes.ts';
import { fetchStoredState, storeState } from './state-by-reference.ts';
import { decodeState, encodeState } from './state-codec.ts';

export type FlowPurpose = Extract<
  Purpose,
  `${'device' | 'login' | 'consent'}_${'challenge' | 'verifier'}` | 'backchannel_challenge'
>;

/**
 * A sealed state longer than this goes to the store, so that Location and Set-Cookie stay under 4 KB together. The first
 * challenge may fill that alone: it is made for anybody who asks, and nobody's asking should cost a row.
 */
const maxTokenLengths: Readonly<Partial<Record<FlowPurpose, number>>> = { login_challenge: 3_300 };
const defaultMaxTokenLength = 1_600;
/** What is too large even so is stored for strangers at this rate only: a bounded number of rows, whoever asks. */
const strangersPerSecond = 2;
const strangersAtOnce = 50;
/** Pushed requests live for a minute. */
const maxVouchers = 20_000;
/** A state larger than this is nobody's login. */
const maxStateBytes = 65_536;
/**
 * A login app asks what a challenge is about, and then answers it: so many states are kept in between, so that nothing is
 * decrypted twice. A courtesy to the second request: only what has opened is kept, and its time is looked at each time.
 */
const keptChallenges = 500;
const isAskedTwice = (purpose: FlowPurpose): boolean =>
  purpose === 'login_challenge' || purpose === 'consent_challenge';

export type OpenedFlow =
  | { readonly status: 'open' | 'expired'; readonly state: FlowState }
  | { readonly status: 'invalid' };

export interface SealOptions {
  /** The pushed request of a client that has proven who it is: one large flow of it is stored, whoever else asks. */
  readonly quotaExemption?: string;
}

export interface FlowTokens {
  /**
   * Seal a state for the next step: no storage, unless it is too large to travel (one commit).
   * Throws `invalid_request` over 64 KB.
   */
  seal(purpose: FlowPurpose, state: FlowState, options?: SealOptions): Promise<string>;
  /** Open one. `expired`: authentic but too old; `invalid`: everything else, indistinguishably. */
  open(purpose: FlowPurpose, token: string): Promise<OpenedFlow>;
}

export interface FlowTokensOptions {
  readonly envelope: Envelope;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly now: () => number;
  /** Store every state, as if none could travel. For comparison only: any stranger's request is a row. Default false. */
  readonly isStored?: boolean;
}

export const createFlowTokens = ({ envelope, adapter, now, isStored = false }: FlowTokensOptions): FlowTokens => {
  const mayStoreForStranger = createTokenBucket({ perSecond: strangersPerSecond, atOnce: strangersAtOnce, now });
  /** Whoever sees a `request_uri` may open it again and again: its client vouched for one row, and no more. */
  const used = new LRUCache<string, true>({ max: maxVouchers });
  const isVouchedFor = (id: string | undefined): boolean => {
    if (id === undefined || used.has(id)) return false;
    used.set(id, true);
    return true;
  };
  const kept = new LRUCache<string, { readonly purpose: FlowPurpose; readonly state: FlowState }>({
    max: keptChallenges,
  });

  const read = async (purpose: FlowPurpose, token: string): Promise<FlowState | undefined> => {
    const bytes = envelope.open(purpose, token);
    if (bytes === undefined) return undefined;
    const decoded = decodeState(bytes);
    // Of what is stored the store has the say, each time.
    if (decoded.isReference) return fetchStoredState(envelope, async (key) => (await adapter.read([key]))[0], decoded);
    if (isAskedTwice(purpose)) kept.set(token, { purpose, state: decoded.state });
    return decoded.state;
  };

  return {
    async seal(purpose, state, { quotaExemption } = {}) {
      const bytes = encodeState(state);
      if (bytes.length > maxStateBytes) {
        throw new CarnetError(
          'invalid_request',
          `The request and what was decided about it exceed ${maxStateBytes} bytes.`,
        );
      }
      const token = envelope.seal(purpose, bytes);
      if (!isStored && token.length <= (maxTokenLengths[purpose] ?? defaultMaxTokenLength)) return token;
      if (!isStored && purpose === 'login_challenge' && !isVouchedFor(quotaExemption) && !mayStoreForStranger()) {
        throw new CarnetError(
          'too_busy',
          'Too many large authorization requests. Send a smaller one, or try again in a moment.',
        );
      }
      const { record, reference } = storeState(envelope, state);
      await adapter.commit([{ type: 'put', record }]);
      return envelope.seal(purpose, reference);
    },

    async open(purpose, token) {
      const known = kept.get(token);
      const state = known?.purpose === purpose ? known.state : await read(purpose, token);
      if (state === undefined) return { status: 'invalid' };
      return { status: state.expiresAt + clockSkewSeconds <= now() / 1000 ? 'expired' : 'open', state };
    },
  };
};
