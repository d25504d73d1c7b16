import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { recordId } from '../storage/record-id.ts';
import { createEnvelope } from './envelope.ts';
import { createFlowId } from './flow-id.ts';
import type { FlowState } from './flow-state.ts';
import { createKeyRing } from './key-ring.ts';
import { fetchStoredState, type StateReference, storeState } from './state-by-reference.ts';
import { decodeState } from './state-codec.ts';

const envelope = createEnvelope(createKeyRing({ issuer: 'https://id.test', secrets: ['a secret of the spill tests'] }));
const expiresAt = Math.floor(Date.now() / 1000) + 1_800;
const large = (): FlowState => ({
  id: createFlowId(Date.now()),
  expiresAt,
  params: { client_id: 'app', response_type: 'code', state: 'a state that is secret' },
  login: { subject: 'alice', authTime: 1, remember: false, context: { notes: 'x'.repeat(5_000) } },
});

const referenceOf = (bytes: Buffer): StateReference => {
  const decoded = decodeState(bytes);
  if (!decoded.isReference) throw new Error('not a reference');
  return decoded;
};
const found = (record: StoredRecord): FoundRecord => ({ ...record, consumedAt: null, members: [] });
const storeOf = (...records: StoredRecord[]) => ({
  read: async (keys: readonly RecordKey[]) =>
    keys.map((key) => records.filter(({ kind, id }) => kind === key.kind && id === key.id).map(found)[0]),
});

describe('a spilled state', () => {
  test('a small reference finds the state', async () => {
    const state = large();
    const { record, reference } = storeState(envelope, state);
    expect(reference.length).toBeLessThan(64);
    expect(await fetchStoredState(envelope, referenceOf(reference), storeOf(record))).toEqual(state);
  });

  test('lies in the store sealed, under the hash of a name that only the reference knows', () => {
    const { record, reference } = storeState(envelope, large());
    const { recordName } = referenceOf(reference);
    expect(record.id).toBe(recordId(recordName));
    expect(JSON.stringify(record)).not.toContain(recordName);
    expect(record.payload).not.toMatch(/alice|secret|notes/);
  });

  test('outlives its flow by an hour, to say where to start again', () => {
    expect(storeState(envelope, large()).record.expiresAt?.getTime()).toBe((expiresAt + 3_600) * 1000);
  });

  test('a state deleted from the store is absent', async () => {
    const { reference } = storeState(envelope, large());
    expect(await fetchStoredState(envelope, referenceOf(reference), storeOf())).toBeUndefined();
  });

  test('swapped in the store for that of another flow is nothing', async () => {
    const [mine, other] = [storeState(envelope, large()), storeState(envelope, large())];
    const swapped = { ...mine.record, payload: other.record.payload };
    expect(await fetchStoredState(envelope, referenceOf(mine.reference), storeOf(swapped))).toBeUndefined();
  });

  test('swapped in the store for a later one of the same flow keeps the expiry of its reference', async () => {
    const state = large();
    const { record, reference } = storeState(envelope, state);
    const later = storeState(envelope, { ...state, expiresAt: expiresAt + 9_999 });
    const swapped = { ...record, payload: later.record.payload };
    const fetched = await fetchStoredState(envelope, referenceOf(reference), storeOf(swapped));
    expect(fetched?.expiresAt).toBe(expiresAt);
  });

  test('written to the store by somebody without the key is nothing', async () => {
    const foreign = createEnvelope(createKeyRing({ issuer: 'https://id.test', secrets: ['not the secret at all'] }));
    const state = large();
    const { record, reference } = storeState(envelope, state);
    const forged = { ...record, payload: storeState(foreign, state).record.payload };
    expect(await fetchStoredState(envelope, referenceOf(reference), storeOf(forged))).toBeUndefined();
  });
});
