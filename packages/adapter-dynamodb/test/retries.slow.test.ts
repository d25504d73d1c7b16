import { inspect } from 'node:util';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter, openDynamoDbAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { listen } from '@carnet/test-servers/listen';
import { afterEach, expect, test } from 'vitest';
import {
  claim,
  consume,
  createStore,
  freshId,
  freshRecord,
  loginWrites,
  merge,
  put,
  remove,
  revoke,
  useCredentials,
} from './store.ts';

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
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
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

test.for(['<html>hunter2</html>', 'null', '{"Responses":{"t":[{"payload":{"S":"hunter2'])(
  'an answer %s is an outage, and no part of it is in the error',
  async (text) => {
    const proxy = await closing(listen((_request, response) => response.end(text)));
    const store = await closing(
      openAdapter({ url: `dynamodb://eu-west-1/table?endpoint=${proxy.origin}&timeout=2000` }),
    );
    for (const call of [() => store.read([freshRecord()]), () => store.commit(loginWrites().writes)]) {
      const error = await call().catch((thrown: unknown) => thrown);
      // A TypeError would be answered as a bug of Carnet.
      expect(error).toMatchObject({ name: 'ConnectionError' });
      expect(inspect(error)).not.toContain('hunter2');
    }
  },
);

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

const many = <T>(create: () => T): readonly T[] => Array.from({ length: 120 }, create);

test('a commit that exceeds a transaction is refused as a whole if it uses, claims or revokes anything', async () => {
  const store = await open();
  const [added, used, removed] = [freshRecord(), freshRecord(), freshRecord({ kind: 'session', subject: freshId() })];
  await store.commit([put(used), put(removed)]);
  const before = (await server.statistics()).calls[operation] ?? 0;
  for (const write of [claim(added), consume(used), merge(used, 'member'), revoke(freshId()), remove(removed)]) {
    const records = many(() => freshRecord());
    await expect(store.commit([...records.map(put), write])).rejects.toThrow(RangeError);
    expect(new Set(await store.read(records))).toEqual(new Set([undefined]));
  }
  expect((await server.statistics()).calls[operation]).toBe(before);
});

test('a commit of 60 sessions that stops between two transactions leaves no session that the list lacks', async () => {
  const address = `${url.address}&timeout=2000`;
  const onConsumed = () => {
    throw new Error('Stopped after the first transaction.');
  };
  const stopped = await closing(Promise.resolve(openDynamoDbAdapter({ url: address, onConsumed })));
  const subject = freshId();
  const sessions = Array.from({ length: 60 }, () => freshRecord({ kind: 'session', subject }));
  await expect(stopped.commit(sessions.map(put))).rejects.toThrow('Stopped');
  const store = await open();
  const found = (await store.read(sessions)).flatMap((record) => record?.id ?? []);
  const { records } = await store.list({ kind: 'session', subject, limit: 500 });
  expect(found.length).toBeLessThan(sessions.length);
  expect(records.map(({ id }) => id).toSorted()).toEqual(found.toSorted());
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
