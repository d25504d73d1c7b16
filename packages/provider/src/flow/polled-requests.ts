import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { recordId } from '../storage/record-id.ts';
import type { Envelope } from './envelope.ts';
import type { FlowState, PolledRequest } from './flow-state.ts';
import { openPayload, sealPayload } from './state-by-reference.ts';

/**
 * Polled requests: the client polls while the user decides on another device (device flow, RFC 8628; CIBA).
 *
 * Two records hold sealed flows, and both ids derive from the value that the client polls with. The request is put when
 * it is made. The decision is claimed by the first flow that ends, so that no decision overwrites another. A poll reads
 * both records in one round trip.
 */

type PolledKind = PolledRequest['kind'];

/** Seconds for which polling returns `expired_token` after the expiry. Afterwards the request is unknown. */
const graceSeconds = 3_600;

export const requestKey = (kind: PolledKind, value: string): RecordKey => ({ kind, id: recordId(value) });

export const decisionKey = ({ kind, id }: Pick<RecordKey, 'kind' | 'id'>): RecordKey => ({
  kind,
  id: recordId(`decision:${id}`),
});

const endOf = (expiresAt: number): Date => new Date((expiresAt + graceSeconds) * 1000);

/** The record of a request. It is encrypted, because its parameters may contain tokens (`id_token_hint`). */
export const requestRecord = (envelope: Envelope, key: RecordKey, state: FlowState): StoredRecord => ({
  ...key,
  payload: sealPayload(envelope, 'waiting_request', state),
  clientId: state.params.client_id,
  expiresAt: endOf(state.expiresAt),
});

/** Opens the request, with its validated parameters. */
export const openRequest = (envelope: Envelope, record: FoundRecord): FlowState | undefined =>
  openPayload(envelope, 'waiting_request', record);

export type AnsweringFlow = FlowState & { readonly waiting: PolledRequest };

/** The record of a decision. Claim it: of all flows that decide a request, the first one wins. */
export const decisionRecord = (envelope: Envelope, state: AnsweringFlow): StoredRecord => ({
  ...decisionKey(state.waiting),
  payload: sealPayload(envelope, 'decided_request', state),
  clientId: state.params.client_id,
  expiresAt: endOf(state.waiting.expiresAt),
});

/** Opens the decision on a request. Undefined if the record decides another request, even if the store returns it. */
export const openDecision = (envelope: Envelope, request: RecordKey, record: FoundRecord): FlowState | undefined => {
  const state = openPayload(envelope, 'decided_request', record);
  return state?.waiting?.id === request.id && state.waiting.kind === request.kind ? state : undefined;
};
