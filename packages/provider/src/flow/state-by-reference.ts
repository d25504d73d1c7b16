import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { randomText } from '../random.ts';
import { recordId } from '../storage/record-id.ts';
import type { Envelope } from './envelope.ts';
import type { FlowState } from './flow-state.ts';
import { type DecodedState, decodeState, encodeReference, encodeState } from './state-codec.ts';

/** A spilled state outlives its flow by this, so that an expired one can still say where to start again. Seconds. */
const graceSeconds = 3_600;

export type StateReference = Extract<DecodedState, { isReference: true }>;

const keyOf = (name: string): RecordKey => ({ kind: 'flow', id: recordId(name) });

/** Turns a state too large to travel into a record for the store, sealed there too, and the bytes that refer to it. */
export const storeState = (envelope: Envelope, state: FlowState): { record: StoredRecord; reference: Buffer } => {
  const name = randomText(16);
  return {
    record: {
      ...keyOf(name),
      payload: JSON.stringify(envelope.seal('spilled_state', encodeState(state))),
      expiresAt: new Date((state.expiresAt + graceSeconds) * 1000),
    },
    reference: encodeReference(state.id, state.expiresAt, name),
  };
};

/** The state behind a reference, by way of whatever reads the store. */
export const fetchStoredState = async (
  envelope: Envelope,
  read: (key: RecordKey) => Promise<FoundRecord | undefined>,
  { id, expiresAt, recordName }: StateReference,
): Promise<FlowState | undefined> => {
  const record = await read(keyOf(recordName));
  const bytes = record && envelope.open('spilled_state', JSON.parse(record.payload) as string);
  const inner = bytes && decodeState(bytes);
  // The reference's own id and expiry win: a record swapped in the store can't prolong a flow or change whose it is.
  return inner && !inner.isReference && inner.state.id === id ? { ...inner.state, expiresAt } : undefined;
};
