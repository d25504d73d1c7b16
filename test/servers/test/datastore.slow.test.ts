import { beforeTests } from '@carnet/test-servers/before-tests';
import { v1 } from '@google-cloud/datastore';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDatastore } from '../src/index.ts';

// Otherwise the client asks the network for Google's metadata server first.
process.env.METADATA_SERVER_DETECTION = 'none';

const codes: Readonly<Record<number, string>> = {
  3: 'INVALID_ARGUMENT',
  9: 'FAILED_PRECONDITION',
  10: 'ABORTED',
  12: 'UNIMPLEMENTED',
};

/** `done`, or the name of the error's gRPC code. */
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    ({ code }: { readonly code: number }) => codes[code] ?? `${code}`,
  );

const singleUse = { singleUseTransaction: { readWrite: {} } } as const;
const keyOf = (name: string) => ({
  path: [
    { kind: 'Parent', name: 'p' },
    { kind: 'Task', name },
  ],
});
const entity = (name: string, text = '1') => ({ key: keyOf(name), properties: { text: { stringValue: text } } });
const children = {
  kind: [{ name: 'Task' }],
  filter: {
    propertyFilter: {
      property: { name: '__key__' },
      op: 'HAS_ANCESTOR' as const,
      value: { keyValue: { path: [{ kind: 'Parent', name: 'p' }] } },
    },
  },
};

describe.each(['pessimistic', 'optimistic'] as const)('a Datastore whose transactions are %s', (concurrency) => {
  const server = beforeTests(() => startDatastore({ concurrency }));
  let api: InstanceType<typeof v1.DatastoreClient>;
  beforeAll(async () => {
    const { port } = server;
    api = new v1.DatastoreClient({ servicePath: '127.0.0.1', port, sslCreds: credentials.createInsecure() });
  });
  afterAll(() => api.close());

  const commit = (mutations: object[], selector: object = singleUse) =>
    outcomeOf(api.commit({ projectId: server.projectId, mode: 'TRANSACTIONAL', mutations, ...selector }));
  /** Begins a transaction by reading. */
  const read = async (name: string) => {
    const readOptions = { newTransaction: { readWrite: {} } };
    const [{ transaction }] = await api.lookup({ projectId: server.projectId, keys: [keyOf(name)], readOptions });
    return { transaction };
  };
  const query = (more: object) => api.runQuery({ projectId: server.projectId, query: { ...children, ...more } });

  test('a transaction never commits what depends on a value that was changed meanwhile', async () => {
    const first = await read('shared');
    const other = commit([{ upsert: entity('shared', '2') }]);
    if (concurrency === 'pessimistic') {
      // The other waits for the lock of the first.
      expect(await commit([{ upsert: entity('shared', '1') }], first)).toBe('done');
      expect(await other).toBe('done');
    } else {
      expect(await other).toBe('done');
      expect(await commit([{ upsert: entity('shared', '1') }], first)).toBe('ABORTED');
    }
    expect(await commit([], first)).toBe('INVALID_ARGUMENT');
  });

  test('a transaction is aborted if an entity came that its query would find', async () => {
    const readOptions = { newTransaction: { readWrite: {} } };
    const [{ transaction }] = await api.runQuery({ projectId: server.projectId, query: children, readOptions });
    expect(await commit([{ insert: entity('new') }])).toBe('done');
    expect(await commit([{ upsert: entity('result') }], { transaction })).toBe('ABORTED');
  });

  test('two transactions that read one entity and write it do not both succeed', async () => {
    const both = [await read('counter'), await read('counter')];
    const outcomes = await Promise.all(both.map((one) => commit([{ upsert: entity('counter') }], one)));
    expect(outcomes.toSorted()).toEqual(['ABORTED', 'done']);
  });

  test('requests that it does not implement, and queries without an index, are refused', async () => {
    expect(await commit([{ update: entity('new') }])).toBe('UNIMPLEMENTED');
    expect(await outcomeOf(query({ offset: 1 }))).toBe('UNIMPLEMENTED');
    expect(await outcomeOf(query({ order: [{ property: { name: 'text' } }] }))).toBe('FAILED_PRECONDITION');
    const long = { key: keyOf('long'), properties: { text: { stringValue: 'x'.repeat(1_501) } } };
    expect(await commit([{ upsert: long }])).toBe('INVALID_ARGUMENT');
  });
});
