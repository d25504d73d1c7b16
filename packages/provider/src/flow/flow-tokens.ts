import type { StorageAdapter } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';
import type { Envelope } from './envelope.ts';
import type { FlowState } from './flow-state.ts';
import type { Purpose } from './purposes.ts';
import { fetchSpilled, spillState } from './spill.ts';
import { decodeState, encodeState } from './state-codec.ts';

export type FlowPurpose = Extract<Purpose, `${'login' | 'consent'}_${'challenge' | 'verifier'}`>;

/** A sealed state longer than this goes to the store, so that Location and Set-Cookie stay under 4 KB together. */
const maxTokenLength = 1_600;
/** A state larger than this is nobody's login. */
const maxStateBytes = 65_536;
/** Two machines' clocks may differ by this. */
const clockSkewSeconds = 30;

export type OpenedFlow =
  | { readonly status: 'open' | 'expired'; readonly state: FlowState }
  | { readonly status: 'invalid' };

export interface FlowTokens {
  /**
   * Seal a state for the next step: no storage, unless it is too large to travel (one commit).
   * Throws `invalid_request` over 64 KB.
   */
  seal(purpose: FlowPurpose, state: FlowState): Promise<string>;
  /** Open one. `expired`: authentic but too old; `invalid`: everything else, indistinguishably. */
  open(purpose: FlowPurpose, token: string): Promise<OpenedFlow>;
}

export interface FlowTokensOptions {
  readonly envelope: Envelope;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly now: () => number;
}

export const createFlowTokens = ({ envelope, adapter, now }: FlowTokensOptions): FlowTokens => ({
  async seal(purpose, state) {
    const bytes = encodeState(state);
    if (bytes.length > maxStateBytes) {
      throw new CarnetError(
        'invalid_request',
        `The request and what was decided about it exceed ${maxStateBytes} bytes.`,
      );
    }
    const token = envelope.seal(purpose, bytes);
    if (token.length <= maxTokenLength) return token;
    const { record, reference } = spillState(envelope, state);
    await adapter.commit([{ type: 'put', record }]);
    return envelope.seal(purpose, reference);
  },

  async open(purpose, token) {
    const bytes = envelope.open(purpose, token);
    if (bytes === undefined) return { status: 'invalid' };
    const decoded = decodeState(bytes);
    const state = decoded.spilled
      ? await fetchSpilled(envelope, async (key) => (await adapter.read([key]))[0], decoded)
      : decoded.state;
    if (state === undefined) return { status: 'invalid' };
    return { status: state.expiresAt + clockSkewSeconds <= now() / 1000 ? 'expired' : 'open', state };
  },
});
