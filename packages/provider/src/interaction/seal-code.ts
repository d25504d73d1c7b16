import type { StoredRecord } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { storeState } from '../flow/state-by-reference.ts';
import { encodeState } from '../flow/state-codec.ts';
import { issuesAtOnce } from '../grants/grant-record.ts';
import { codePrefix } from '../tokens/token-value.ts';

/** Characters. The state of a longer code is stored, and the code contains a reference: Location stays under 4 KB. */
const maxCodeLength = 1_100;
/** Characters. The limit of a code in a response with tokens (hybrid), which cannot be stored by reference. */
const maxCodeLengthBesideTokens = 900;

export interface SealedCode {
  readonly value: string;
  /** The state that the code refers to: it is stored with the other writes of the request. */
  readonly record?: StoredRecord;
}

export interface SealCodeDependencies extends Clock {
  readonly envelope: Envelope;
  /** Seconds. */
  readonly options: { readonly ttl: { readonly authCode: number } };
}

/** Seals a decided flow as an authorization code. A short code is stored nowhere before it is redeemed. */
export const sealCode = (flow: FlowState, { envelope, options, now }: SealCodeDependencies): SealedCode => {
  const state: FlowState = { ...flow, extra: undefined, expiresAt: Math.floor(now() / 1000) + options.ttl.authCode };
  const sealed = envelope.seal('authorization_code', encodeState(state));
  const maxLength = issuesAtOnce(flow.params) ? maxCodeLengthBesideTokens : maxCodeLength;
  if (sealed.length <= maxLength) return { value: codePrefix + sealed };
  const { record, reference } = storeState(envelope, state);
  return { value: codePrefix + envelope.seal('authorization_code', reference), record };
};
