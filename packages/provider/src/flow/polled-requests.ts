import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { recordId } from '../storage/record-id.ts';
import type { Envelope } from './envelope.ts';
import type { FlowState, PolledRequest } from './flow-state.ts';
import type { Purpose } from './purposes.ts';
import { decodeState, encodeState } from './state-codec.ts';

/**
 * Requests that a client polls for while a person decides elsewhere: a device's (RFC 8628), or a backchannel one (CIBA).
 *
 * Two records, both named after the value that the client polls with and both a sealed flow: the request, put when it
 * is made, and the decision, claimed once by whichever flow ends first. So polling reads both in one round trip, and
 * nobody's decision overwrites another's.
 */

type PolledKind = PolledRequest['kind'];

/** A request is told to have expired for this long, and unknown from then on. Seconds. */
const graceSeconds = 3_600;

export const requestKey = (kind: PolledKind, value: string): RecordKey => ({ kind, id: recordId(value) });

export const decisionKey = ({ kind, id }: Pick<RecordKey, 'kind' | 'id'>): RecordKey => ({
  kind,
  id: recordId(`decision:${id}`),
});

const seal = (envelope: Envelope, purpose: Purpose, state: FlowState): string =>
  JSON.stringify(envelope.seal(purpose, encodeState(state)));

const open = (envelope: Envelope, purpose: Purpose, record: FoundRecord): FlowState | undefined => {
  const bytes = envelope.open(purpose, JSON.parse(record.payload) as string);
  const decoded = bytes && decodeState(bytes);
  return decoded?.isReference === false ? decoded.state : undefined;
};

const endOf = (expiresAt: number): Date => new Date((expiresAt + graceSeconds) * 1000);

/** A request as it is stored: sealed, for its parameters may hold tokens (`id_token_hint`). */
export const requestRecord = (envelope: Envelope, key: RecordKey, state: FlowState): StoredRecord => ({
  ...key,
  payload: seal(envelope, 'waiting_request', state),
  clientId: state.params.client_id,
  expiresAt: endOf(state.expiresAt),
});

/** The request that waits, its parameters as they were validated. */
export const openRequest = (envelope: Envelope, record: FoundRecord): FlowState | undefined =>
  open(envelope, 'waiting_request', record);

export interface AnsweringFlow extends FlowState {
  readonly waiting: PolledRequest;
}

/** What a flow came to, to be claimed: of all the flows that answer a request, the first one counts. */
export const decisionRecord = (envelope: Envelope, state: AnsweringFlow): StoredRecord => ({
  ...decisionKey(state.waiting),
  payload: seal(envelope, 'decided_request', state),
  clientId: state.params.client_id,
  expiresAt: endOf(state.waiting.expiresAt),
});

/** The flow that answered a request; nothing for one that answered another, whatever the store says. */
export const openDecision = (envelope: Envelope, request: RecordKey, record: FoundRecord): FlowState | undefined => {
  const state = open(envelope, 'decided_request', record);
  return state?.waiting?.id === request.id && state.waiting.kind === request.kind ? state : undefined;
};
