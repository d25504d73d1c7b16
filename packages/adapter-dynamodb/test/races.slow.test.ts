import { openAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { startCommitProcess } from './commit-process.ts';
import { consume, createStore, freshRecord, loginWrites, put, revoke } from './store.ts';

/** While a transaction takes 3 ms, others of its items are in conflict with it. */
const server = beforeTests(() => startDynamoDb({ latencyMs: 3 }));
const url = beforeTests(async () => ({ address: await createStore(server, '&timeout=20000'), close: async () => {} }));
const store = beforeTests(() => openAdapter({ url: url.address }));
const processes = [0, 1].map(() => beforeTests(() => startCommitProcess(url.address)));

/** `CARNET_RACE_ROUNDS=300` for a thorough run. */
const rounds = Number(process.env.CARNET_RACE_ROUNDS ?? 8);
const timeout = 10_000 + rounds * 2_000;
const half = 10;

/** Who wins of twenty commits at once, ten from each process. */
const race = async (writesOf: (index: number) => Parameters<typeof store.commit>[0]): Promise<number> => {
  const outcomes = await Promise.all(
    processes.map((each, process) =>
      each.commit(Array.from({ length: half }, (_, index) => writesOf(process * half + index))),
    ),
  );
  expect(outcomes.flat()).toHaveLength(2 * half);
  return outcomes.flat().filter(({ hasWon }) => hasWon).length;
};

test('of twenty redemptions of a code at once, of two processes, one wins', { timeout }, async () => {
  for (let round = 0; round < rounds; round++) {
    const { writes } = loginWrites();
    expect(await race(() => writes)).toBe(1);
  }
});

test('of twenty rotations at once, of two processes, one wins and has the only successor', { timeout }, async () => {
  for (let round = 0; round < rounds; round++) {
    const { writes, refresh, grantId } = loginWrites();
    await store.commit(writes);
    const successors = Array.from({ length: 2 * half }, () => freshRecord({ kind: 'refresh_token', grantId }));
    const putNext = (index: number) => put(successors[index] ?? refresh);
    expect(await race((index) => [consume(refresh), putNext(index)])).toBe(1);
    expect((await store.read(successors)).filter((record) => record !== undefined)).toHaveLength(1);
  }
});

test('of twenty rotations of two processes amid a revocation, none leaves a record', { timeout }, async () => {
  for (let round = 0; round < rounds; round++) {
    const { writes, refresh, grantId } = loginWrites();
    await store.commit(writes);
    const successors = Array.from({ length: 2 * half }, () => freshRecord({ kind: 'refresh_token', grantId }));
    const putNext = (index: number) => put(successors[index] ?? refresh);
    await Promise.all([race((index) => [consume(refresh), putNext(index)]), store.commit([revoke(grantId)])]);
    const found = await store.read([refresh, ...successors]);
    expect(found.filter((record) => record !== undefined)).toEqual([]);
  }
});

test('a killed process leaves each commit whole or absent, and what it has acknowledged', async () => {
  const victim = await closing(startCommitProcess(url.address));
  const made = Array.from({ length: 60 }, () => loginWrites());
  const acknowledged = victim.commit(made.map(({ writes }) => writes));
  await victim.firstOutcome();
  await victim.close();
  const won = new Set((await acknowledged).map(({ index }) => index));
  expect(won.size).toBeGreaterThan(0);
  for (const [index, { code, refresh, grant }] of made.entries()) {
    const found = (await store.read([code, refresh, grant])).map((record) => record !== undefined);
    expect(new Set(found).size).toBe(1);
    if (won.has(index)) expect(found[0]).toBe(true);
  }
});
