import { randomUUID } from 'node:crypto';
import { openAdapter, openMigrator } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { authorize, introspect, login, redeem } from '../login.ts';

process.env.AWS_ACCESS_KEY_ID = 'AKIAEXAMPLE';
process.env.AWS_SECRET_ACCESS_KEY = 'hunter2';

const server = beforeTests(() => startDynamoDb());
const adapter = beforeTests(async () => {
  const url = `${server.url(`t${randomUUID()}`)}&timeout=30000`;
  const migrator = await openMigrator({ url });
  await migrator.up();
  await migrator.close();
  return openAdapter({ url });
});
const instance = startBeforeTests({ adapter });

const operations = ['TransactWriteItems', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem'] as const;

/** The requests of the work, by their operation. */
const countCalls = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
  const before = (await server.statistics()).calls;
  await work();
  const after = (await server.statistics()).calls;
  return operations.map((operation) => (after[operation] ?? 0) - (before[operation] ?? 0));
};

test('a login on DynamoDB is one transaction, and an introspection one read, once the client is cached', {
  timeout: 90_000,
}, async () => {
  const client = await registerClient(instance, 'app');
  const measure = async () => {
    let token = '';
    const ofLogin = await countCalls(async () => {
      token = String((await login(instance, client)).access_token);
    });
    const ofIntrospection = await countCalls(async () => {
      expect(await introspect(instance, token)).toMatchObject({ active: true });
    });
    return [ofLogin, ofIntrospection];
  };
  // The cache keeps a client for a few seconds: on a busy machine it may be read again during a login.
  await expect.poll(measure, { timeout: 60_000 }).toEqual([
    [1, 0, 0, 0, 0],
    [0, 1, 0, 0, 0],
  ]);
  const before = await server.statistics();
  await login(instance, client);
  const { lastPut, writeUnits } = await server.statistics();
  // Five items of at most 1 KB, each twice in a transaction.
  expect(writeUnits - before.writeUnits).toBe(10);
  expect(lastPut).toHaveLength(5);
});

test('the consents of a user are revoked, more than a transaction of DynamoDB takes', { timeout: 60_000 }, async () => {
  const client = await registerClient(instance, 'consented');
  const subject = randomUUID();
  await login(instance, client, { subject, consent: { remember: true } });
  const query = { kind: 'consent', subject, limit: 500 } as const;
  const [remembered] = (await adapter.list(query)).records;
  if (remembered === undefined) throw new Error('The consent is not remembered.');
  for (let batch = 0; batch < 3; batch += 1)
    await adapter.commit(
      Array.from({ length: 40 }, () => ({ type: 'put', record: { ...remembered, id: randomUUID() } }) as const),
    );
  await instance.carnet.consents.revoke({ subject, all: true });
  expect((await adapter.list(query)).records).toEqual([]);
});

test('without the service, a redemption is answered with 503 and Retry-After, and the code stays good', {
  timeout: 60_000,
}, async () => {
  const client = await registerClient(instance, 'outage');
  const code = await authorize(instance, client);
  await server.kill();
  const { status, headers } = await redeem(instance, client, code);
  expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  await server.start();
  const { access_token } = (await redeem(instance, client, code)).body;
  expect(await introspect(instance, access_token)).toMatchObject({ active: true });
});

test('throttling is answered with 503 and Retry-After', { timeout: 60_000 }, async () => {
  const client = await registerClient(instance, 'throttled');
  const { access_token } = await login(instance, client);
  await server.failNext({ operation: 'BatchGetItem', type: 'ProvisionedThroughputExceededException', times: 500 });
  const body = new URLSearchParams({ token: String(access_token) });
  const answer = await fetch(`${instance.admin}/admin/oauth2/introspect`, { method: 'POST', body });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  await server.clearFaults();
});
