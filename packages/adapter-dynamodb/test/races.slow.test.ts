import { openAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { consume, createStore, freshRecord, loginWrites, put, revoke } from './store.ts';

/** While a transaction takes 3 ms, others of its items are in conflict with it. */
const server = beforeTests(() => startDynamoDb({ latencyMs: 3 }));
const url = beforeTests(async () => ({ address: await createStore(server, '&timeout=20000'), close: async () => {} }));
const stores = [0, 1].map(() => beforeTests(() => openAdapter({ url: url.address })));
const storeOf = (index: number) => stores[index % 2] ?? (stores[0] as (typeof stores)[number]);

const rounds = 20;

test('of twenty redemptions of a code at once, of two connections, one wins', { timeout: 120_000 }, async () => {
  for (let round = 0; round < rounds; round++) {
    const { writes } = loginWrites();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => storeOf(index).commit(writes)));
    expect(outcomes.filter((conflict) => conflict === undefined)).toHaveLength(1);
  }
});

test('of twenty rotations amid a revocation, none leaves a record', { timeout: 120_000 }, async () => {
  for (let round = 0; round < rounds; round++) {
    const { writes, refresh, grantId } = loginWrites();
    await storeOf(0).commit(writes);
    const successors = Array.from({ length: 20 }, () => freshRecord({ kind: 'refresh_token', grantId }));
    const rotations = successors.map((next, index) => storeOf(index).commit([consume(refresh), put(next)]));
    await Promise.all([...rotations, storeOf(round).commit([revoke(grantId)])]);
    const found = await storeOf(1).read([refresh, ...successors]);
    expect(found.filter((record) => record !== undefined)).toEqual([]);
  }
});
