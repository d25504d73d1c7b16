import type { FoundRecord, RecordKey, StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import { randomText } from '../random.ts';
import { readSealedPayload } from '../storage/payload.ts';
import { recordId } from '../storage/record-id.ts';
import type { Envelope } from './envelope.ts';
import type { FlowState } from './flow-state.ts';
import type { Purpose } from './purposes.ts';
import { type DecodedState, decodeState, encodeReference, encodeState } from './state-codec.ts';

/** Seconds for which a stored state outlives its flow: an expired flow still shows where to start again. */
const graceSeconds = 3_600;

export type StateReference = Extract<DecodedState, { isReference: true }>;

type Store = Pick<StorageAdapter, 'read'>;

const keyOf = (name: string): RecordKey => ({ kind: 'flow', id: recordId(name) });

/** The payload of a record with a sealed state. */
export const sealPayload = (envelope: Envelope, purpose: Purpose, state: FlowState): string =>
  JSON.stringify(envelope.seal(purpose, encodeState(state)));

/** The state in the bytes of an opened token. Undefined if they are a reference. */
export const stateIn = (bytes: Buffer): FlowState | undefined => {
  const decoded = decodeState(bytes);
  return decoded.isReference ? undefined : decoded.state;
};

/** The state that `sealPayload` has sealed for this purpose. Undefined if it was not sealed so. */
export const openPayload = (envelope: Envelope, purpose: Purpose, record: FoundRecord): FlowState | undefined => {
  const bytes = envelope.open(purpose, readSealedPayload(record));
  return bytes && stateIn(bytes);
};

/**
 * Creates the record of a state that is too large for a URL, encrypted as well, and the bytes that refer to the record.
 */
export const storeState = (envelope: Envelope, state: FlowState): { record: StoredRecord; reference: Buffer } => {
  const name = randomText(16);
  return {
    record: {
      ...keyOf(name),
      payload: sealPayload(envelope, 'spilled_state', state),
      expiresAt: new Date((state.expiresAt + graceSeconds) * 1000),
    },
    reference: encodeReference(state.id, state.expiresAt, name),
  };
};

/** Reads the state behind a reference. Undefined if the record is missing or belongs to another flow. */
export const fetchStoredState = async (
  envelope: Envelope,
  { id, expiresAt, recordName }: StateReference,
  store: Store,
): Promise<FlowState | undefined> => {
  const [record] = await store.read([keyOf(recordName)]);
  const state = record && openPayload(envelope, 'spilled_state', record);
  // The id must match and the reference's expiry is used: a record swapped in the store cannot prolong or replace a
  // flow.
  return state?.id === id ? { ...state, expiresAt } : undefined;
};

/** Opens a sealed state. It is a promise only if the store has the state. */
export const openState = (
  envelope: Envelope,
  purpose: Purpose,
  token: string,
  store: Store,
): FlowState | undefined | Promise<FlowState | undefined> => {
  const bytes = envelope.open(purpose, token);
  const decoded = bytes && decodeState(bytes);
  return decoded?.isReference ? fetchStoredState(envelope, decoded, store) : decoded?.state;
};
