import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { afterEach, expect, test } from 'vitest';
import { claim, consume, createStore, freshRecord, loginWrites, merge, put, useCredentials } from './store.ts';

const server = beforeTests(() => startDynamoDb());
const url = beforeTests(async () => {
  const address = await createStore(server);
  return { address, close: async () => {} };
});
const open = () => closing(openAdapter({ url: `${url.address}&timeout=2000` }));
afterEach(() => server.clearFaults());

const operation = 'TransactWriteItems';

const lost = {
  'a broken connection': { operation, type: 'none' },
  'an internal error': { operation, type: 'InternalServerError', status: 500 },
} as const;

test.for(Object.entries(lost))('a commit whose answer was lost by %s is carried out once', async ([, fault]) => {
  const store = await open();
  for (const applied of [true, false]) {
    const { writes, code, refresh } = loginWrites();
    await server.failNext({ ...fault, applied });
    expect(await store.commit(writes)).toBeUndefined();
    expect(await store.commit([claim(code)])).toMatchObject({ reason: 'exists' });
    await server.failNext({ ...fault, applied });
    expect(await store.commit([consume(refresh)])).toBeUndefined();
    expect(await store.commit([consume(refresh)])).toMatchObject({ reason: 'consumed' });
  }
});

test('a claim whose token the service has forgotten recognises its own record', async () => {
  const store = await open();
  const { writes } = loginWrites();
  await server.failNext({
    operation,
    type: 'TransactionCanceledException',
    reason: 'TransactionConflict',
    applied: true,
  });
  expect(await store.commit(writes)).toBeUndefined();
});

test('a transaction that others conflict with is repeated', async () => {
  const store = await open();
  await server.failNext({ operation, type: 'TransactionCanceledException', reason: 'TransactionConflict', times: 5 });
  expect(await store.commit(loginWrites().writes)).toBeUndefined();
});

test('a transaction that others always conflict with throws when its time is over', async () => {
  const store = await open();
  await server.failNext({ operation, type: 'TransactionCanceledException', reason: 'TransactionConflict', times: 500 });
  await expect(store.commit(loginWrites().writes)).rejects.toThrow('TransactionConflict');
});

const throttling = {
  'a table': { type: 'ProvisionedThroughputExceededException' },
  'an account': { type: 'ThrottlingException' },
  'a transaction': { type: 'TransactionCanceledException', reason: 'ThrottlingError' },
} as const;

test.for(Object.entries(throttling))('throttling of %s is repeated a few times, and then thrown', async ([, fault]) => {
  const store = await open();
  await server.failNext({ operation, ...fault, times: 2 });
  expect(await store.commit(loginWrites().writes)).toBeUndefined();
  await server.failNext({ operation, ...fault, times: 50 });
  const before = (await server.statistics()).calls[operation] ?? 0;
  await expect(store.commit(loginWrites().writes)).rejects.toThrow(/Thrott|Throughput/);
  expect((await server.statistics()).calls[operation]).toBe(before + 4);
});

const advice = {
  AccessDeniedException: 'IAM policy',
  UnrecognizedClientException: 'aws sts get-caller-identity',
  InvalidSignatureException: 'clock',
  ExpiredTokenException: 'expired',
  ValidationException: 'expiry=sweep',
};

test.for(Object.entries(advice))('the service answers %s: an operator must act', async ([type, text]) => {
  const store = await open();
  await server.failNext({ operation: 'BatchGetItem', type });
  const error = await store.ping().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreUnfitError);
  expect(error).toMatchObject({ message: expect.stringContaining(text) });
  await expect(store.ping()).resolves.toBeUndefined();
});

test('a table that does not exist makes the store unfit', async () => {
  useCredentials();
  const store = await closing(openAdapter({ url: server.url('missing') }));
  await expect(store.ping()).rejects.toThrow('carnet migrate up');
});

test('a record larger than an item is refused before it is sent', async () => {
  const store = await open();
  const record = freshRecord({ payload: JSON.stringify('x'.repeat(410_000)) });
  await expect(store.commit([put(record)])).rejects.toThrow(RangeError);
});

test('a record that becomes larger than an item is refused, and stays as it was', async () => {
  const store = await open();
  const session = freshRecord({ kind: 'session', payload: JSON.stringify('x'.repeat(390_000)) });
  await store.commit([put(session)]);
  await expect(store.commit([merge(session, 'm'.repeat(20_000))])).rejects.toThrow(RangeError);
  expect((await store.read([session]))[0]?.members).toEqual([]);
});

test('a commit of more than 100 actions is several transactions, of which a conflict leaves nothing', async () => {
  const store = await open();
  const taken = freshRecord();
  await store.commit([claim(taken)]);
  const records = Array.from({ length: 250 }, () => freshRecord());
  expect(await store.commit([...records.map(put), claim(taken)])).toMatchObject({ reason: 'exists' });
  expect(new Set(await store.read(records))).toEqual(new Set([undefined]));
  const before = (await server.statistics()).calls[operation] ?? 0;
  expect(await store.commit([...records.map(put), claim(freshRecord())])).toBeUndefined();
  expect((await server.statistics()).calls[operation]).toBe(before + 3);
  expect((await store.read(records)).every((record) => record !== undefined)).toBe(true);
  await expect(store.commit(Array.from({ length: 101 }, () => claim(freshRecord())))).rejects.toThrow(RangeError);
});

test('a killed server loses nothing that was acknowledged, and no commit is carried out twice', async () => {
  const store = await open();
  const made = Array.from({ length: 40 }, () => loginWrites());
  const outcomes = Promise.allSettled(made.map(({ writes }) => store.commit(writes)));
  await server.kill();
  await server.start();
  for (const [index, outcome] of (await outcomes).entries()) {
    const { code, refresh } = made[index] ?? loginWrites();
    const found = await store.read([code, refresh]);
    // All of a commit or none of it.
    expect(new Set(found.map((record) => record === undefined)).size).toBe(1);
    if (outcome.status === 'fulfilled') expect(found[0]).toBeDefined();
  }
});
