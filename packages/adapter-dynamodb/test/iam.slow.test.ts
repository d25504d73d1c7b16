import { StoreUnfitError } from '@carnet/adapter-contract';
import { openAdapter, openMigrator } from '@carnet/adapter-dynamodb';
import { startMoto } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { afterEach, expect, test } from 'vitest';
import { createStore, freshRecord, loginWrites, merge, put, remove, revoke, useCredentials } from './store.ts';
import { readStack } from './template.ts';

const server = beforeTests(startMoto);
const urlOf = (table: string) => `dynamodb://eu-west-1/${table}?endpoint=${server.url}&expiry=sweep`;

/** From the next call on, moto checks signatures and policies as IAM does, or no longer does. */
const enforceIam = (isEnforced: boolean) =>
  fetch(`${server.url}/moto-api/reset-auth`, { method: 'POST', body: isEnforced ? '0' : 'inf' });

afterEach(() => enforceIam(false));

const authorizationFor = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=none`;

/** A call of IAM's API, without its checks. */
const callIam = async (parameters: Readonly<Record<string, string>>): Promise<string> => {
  const headers = { authorization: authorizationFor('iam') };
  const answer = await fetch(server.url, { method: 'POST', headers, body: new URLSearchParams(parameters) });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return text;
};

const valueIn = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

/** A call of DynamoDB's API, without IAM's checks. */
const callDynamoDb = async (operation: string, input: object): Promise<Record<string, unknown>> => {
  const headers = {
    authorization: authorizationFor('dynamodb'),
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const answer = await fetch(server.url, { method: 'POST', headers, body: JSON.stringify(input) });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text);
};

/** Creates the table of the template, and returns the policies. */
const createStack = async (name: string, hasSweepIndex: boolean) => {
  const stack = readStack({ table: name, arn: `arn:aws:dynamodb:eu-west-1:123456789012:table/${name}`, hasSweepIndex });
  await callDynamoDb('CreateTable', stack.table);
  await callDynamoDb('UpdateTimeToLive', { TableName: name, TimeToLiveSpecification: stack.ttl });
  return stack;
};

/** A table as DynamoDB describes it, as far as a store depends on it. */
const describeTable = async (TableName: string) => {
  const { Table } = (await callDynamoDb('DescribeTable', { TableName })) as { Table: Record<string, unknown> };
  const { KeySchema, AttributeDefinitions, BillingModeSummary, GlobalSecondaryIndexes = [] } = Table;
  const indexes = GlobalSecondaryIndexes as readonly Record<string, unknown>[];
  const ofIndex = ({ IndexName, KeySchema, Projection }: Record<string, unknown>) => ({
    IndexName,
    KeySchema,
    Projection,
  });
  const { TimeToLiveDescription: ttl } = await callDynamoDb('DescribeTimeToLive', { TableName });
  return { KeySchema, AttributeDefinitions, BillingModeSummary, indexes: indexes.map(ofIndex), ttl };
};

test.for(['ttl', 'sweep'])(
  'the CloudFormation template creates the table of `carnet migrate up` (expiry=%s)',
  async (expiry) => {
    const url = await createStore({ url: (table) => urlOf(table).replace('expiry=sweep', `expiry=${expiry}`) });
    await createStack(`made-${expiry}`, expiry === 'sweep');
    expect(await describeTable(`made-${expiry}`)).toEqual(await describeTable(new URL(url).pathname.slice(1)));
  },
);

/** Uses the credentials of a new user who has the policies. */
const becomeUser = async (name: string, ...policies: readonly string[]) => {
  await enforceIam(false);
  await callIam({ Action: 'CreateUser', UserName: name });
  for (const [index, PolicyDocument] of policies.entries())
    await callIam({ Action: 'PutUserPolicy', UserName: name, PolicyName: `p${index}`, PolicyDocument });
  const key = await callIam({ Action: 'CreateAccessKey', UserName: name });
  process.env.AWS_ACCESS_KEY_ID = valueIn(key, 'AccessKeyId');
  process.env.AWS_SECRET_ACCESS_KEY = valueIn(key, 'SecretAccessKey');
  await enforceIam(true);
};

test('the policies of the template allow what Carnet does, and no more', { timeout: 60_000 }, async () => {
  const { servePolicy, maintenancePolicy } = await createStack('served', true);
  const other = await createStore({ url: urlOf });
  await becomeUser('server', servePolicy);
  const store = await closing(openAdapter({ url: urlOf('served') }));
  const { writes, grantId, refresh, grant } = loginWrites();
  const session = freshRecord({ kind: 'session', subject: 'subject', expiresAt: new Date(0) });
  await store.ping();
  expect(await store.commit(writes)).toBeUndefined();
  expect(await store.commit([merge(grant), put(freshRecord({ kind: 'client_credentials' }))])).toBeUndefined();
  expect(await store.commit([merge(refresh, 'member'), revoke(grantId)])).toBeUndefined();
  expect(await store.commit([put(session)])).toBeUndefined();
  expect(await store.commit([remove(freshRecord({ kind: 'session' })), remove(freshRecord())])).toBeUndefined();
  expect(await store.list({ kind: 'client', limit: 10 })).toEqual({ records: [] });
  expect((await store.sweep(100)).removed).toBeGreaterThan(0);

  await expect(store.scan({ limit: 10 })).rejects.toThrow(StoreUnfitError);
  const migrator = await closing(openMigrator({ url: urlOf('served') }));
  await expect(migrator.down()).rejects.toThrow('IAM policy');
  const others = await closing(openAdapter({ url: other }));
  await expect(others.ping()).rejects.toThrow('IAM policy');
  await expect(others.commit(loginWrites().writes)).rejects.toThrow('IAM policy');

  await becomeUser('maintainer', servePolicy, maintenancePolicy);
  const maintained = await closing(openAdapter({ url: urlOf('served') }));
  const status = await closing(openMigrator({ url: urlOf('served') }));
  await expect(maintained.scan({ limit: 10 })).resolves.toBeDefined();
  expect(await status.status()).toEqual([{ name: '0001-table', appliedAt: expect.any(Date) }]);
  await expect(status.down()).rejects.toThrow('IAM policy');
});

test('unknown credentials make the store unfit, and no error has them', async () => {
  useCredentials();
  const url = await createStore({ url: urlOf });
  await enforceIam(true);
  const refused = await closing(openAdapter({ url }));
  const error = await refused.ping().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreUnfitError);
  expect(String(error)).toContain('aws sts get-caller-identity');
  expect(String(error)).not.toContain('hunter2');
});
