import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatastoreServer, startDatastore } from '../../src/index.ts';
import { codeOf, commitOnce, type Mutations, openApi, openClient, type Properties } from './open-client.ts';

let server: DatastoreServer;
let client: ReturnType<typeof openClient>;
let api: ReturnType<typeof openApi>;
const projectId = 'carnet-test';

beforeAll(async () => {
  server = await startDatastore({ maxMutations: 500 });
  client = openClient(server);
  api = openApi(server);
});
afterAll(() => server.close());

const key = (name: string, kind = 'Task') => ({ partitionId: { projectId }, path: [{ kind, name }] });
const text = (stringValue: string, excludeFromIndexes = false) => ({ stringValue, excludeFromIndexes });
const entity = (name: string, properties: Properties = { a: text('1') }) => ({ key: key(name), properties });
const commit = (mutations: Mutations) => commitOnce(api, projectId, mutations);
const read = async (name: string) => {
  const [{ found = [] }] = await api.lookup({ projectId, keys: [key(name)] });
  return found?.[0];
};

describe('a commit', () => {
  test('has one winner of 50 inserts of one key at the same time', async () => {
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, at) => codeOf(commit([{ insert: entity('claim', { a: text(`${at}`) }) }]))),
    );
    expect(codes.filter((code) => code === 'none')).toHaveLength(1);
    expect(codes.filter((code) => code === 'ALREADY_EXISTS')).toHaveLength(49);
  });

  test('applies all mutations or none', async () => {
    await commit([{ insert: entity('taken') }]);
    expect(await codeOf(commit([{ insert: entity('other') }, { insert: entity('taken') }]))).toBe('ALREADY_EXISTS');
    expect(await codeOf(commit([{ insert: entity('other') }, { update: entity('missing') }]))).toBe('NOT_FOUND');
    expect(await read('other')).toBeUndefined();
  });

  test('applies the mutations beside a refused one if it is not transactional', async () => {
    const mutations = [{ insert: entity('first') }, { insert: entity('taken') }, { insert: entity('third') }];
    expect(await codeOf(api.commit({ projectId, mode: 'NON_TRANSACTIONAL', mutations }).then())).toBe('ALREADY_EXISTS');
    expect([await read('first'), await read('third')]).not.toContain(undefined);
  });

  test('gives an entity a version and times that grow with each change, and only with a change', async () => {
    const inserted = await commit([{ insert: entity('times') }]);
    const same = await commit([{ upsert: entity('times') }]);
    const changed = await commit([{ upsert: entity('times', { a: text('2') }) }]);
    const versions = [inserted, same, changed].map(({ mutationResults }) => `${mutationResults?.[0]?.version}`);
    expect(versions[0]).toBe(versions[1]);
    expect(BigInt(versions[2] ?? 0)).toBeGreaterThan(BigInt(versions[1] ?? 0));
    const stored = await read('times');
    expect(stored?.createTime).toEqual(inserted.mutationResults?.[0]?.updateTime);
    expect(stored?.updateTime).toEqual(changed.mutationResults?.[0]?.updateTime);
  });

  test('leaves an entity whose version is not the base version, or fails as a whole', async () => {
    const { mutationResults } = await commit([{ insert: entity('versioned') }]);
    const baseVersion = mutationResults?.[0]?.version;
    const update = { update: entity('versioned', { a: text('2') }), baseVersion };
    expect((await commit([update])).mutationResults?.[0]?.conflictDetected).toBe(false);
    const lost = await commit([update, { upsert: entity('beside') }]);
    expect(lost.mutationResults?.map(({ conflictDetected }) => conflictDetected)).toEqual([true, false]);
    const deletion = { delete: key('versioned'), baseVersion, conflictResolutionStrategy: 'FAIL' as const };
    expect(await codeOf(commit([deletion, { insert: entity('never') }]))).toBe('FAILED_PRECONDITION');
    expect([await read('versioned'), await read('never')].map((found) => found?.entity?.properties)).toEqual([
      { a: expect.objectContaining({ stringValue: '2' }) },
      undefined,
    ]);
  });

  test('takes the version 0 for that of an entity that does not exist', async () => {
    const insert = { insert: entity('absent'), baseVersion: 0, conflictResolutionStrategy: 'FAIL' as const };
    expect(await codeOf(commit([insert]))).toBe('none');
    expect(await codeOf(commit([insert]))).toBe('FAILED_PRECONDITION');
  });

  test('compares the update time as it compares the version', async () => {
    const { mutationResults } = await commit([{ insert: entity('timed') }]);
    const updateTime = mutationResults?.[0]?.updateTime;
    const update = { update: entity('timed', { a: text('2') }), updateTime };
    const first = await commit([update]);
    const second = await commit([{ ...update, update: entity('timed', { a: text('3') }) }]);
    expect([first, second].map((answer) => answer.mutationResults?.[0]?.conflictDetected)).toEqual([false, true]);
  });

  test('writes the properties of a mask only, and transforms after that', async () => {
    await commit([
      { insert: entity('masked', { a: text('1'), b: text('1'), list: { arrayValue: { values: [text('x')] } } }) },
    ]);
    const { mutationResults } = await commit([
      {
        update: entity('masked', { a: text('2'), b: text('2') }),
        propertyMask: { paths: ['b'] },
        propertyTransforms: [
          { property: 'list', appendMissingElements: { values: [text('x'), text('y')] } },
          { property: 'count', increment: { integerValue: 2 } },
          { property: 'count', maximum: { integerValue: 7 } },
        ],
      },
    ]);
    expect(mutationResults?.[0]?.transformResults).toEqual([
      expect.objectContaining({ nullValue: 'NULL_VALUE' }),
      expect.objectContaining({ integerValue: '2' }),
      expect.objectContaining({ integerValue: '7' }),
    ]);
    const [masked] = await client.get(client.key(['Task', 'masked']));
    expect(masked).toMatchObject({ a: '1', b: '2', list: ['x', 'y'], count: 7 });
  });

  test('allocates ids, and none twice', async () => {
    const partial = { partitionId: { projectId }, path: [{ kind: 'Numbered' }] };
    const { mutationResults } = await commit([{ insert: { key: partial } }, { insert: { key: partial } }]);
    const [allocated] = await client.allocateIds(client.key('Numbered'), 2);
    const ids = [
      ...(mutationResults ?? []).map(({ key: complete }) => `${complete?.path?.[0]?.id}`),
      ...allocated.map(({ id }) => id),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('a commit is refused', () => {
  const refused = (what: string, mutations: Mutations, code = 'INVALID_ARGUMENT') =>
    test(`with ${code}: ${what}`, async () => {
      expect(await codeOf(commit(mutations))).toBe(code);
    });
  const long = 'x'.repeat(1_501);

  refused('an indexed string of more than 1,500 bytes', [{ upsert: entity('x', { a: text(long) }) }]);
  refused('an entity of more than 1,048,572 bytes', [
    { upsert: entity('x', { a: text('x'.repeat(1_048_487), true), b: text('y'.repeat(100)) }) },
  ]);
  refused('a property of more than 1,048,487 bytes', [
    { upsert: entity('x', { a: text('x'.repeat(1_048_488), true) }) },
  ]);
  refused(
    'more than 500 mutations, with that limit',
    Array.from({ length: 501 }, (_, at) => ({ upsert: entity(`x${at}`) })),
  );
  refused('a key name of more than 1,500 bytes', [{ upsert: entity(long) }]);
  refused('an empty key name', [{ upsert: entity('') }]);
  refused('a reserved kind', [{ delete: key('x', '__Stat__') }]);
  refused('a reserved property name', [{ upsert: entity('x', { __a__: text('1') }) }]);
  refused('a value without a type', [{ upsert: entity('x', { a: {} }) }]);
  refused('an array in an array', [
    { upsert: entity('x', { a: { arrayValue: { values: [{ arrayValue: { values: [] } }] } } }) },
  ]);
  refused('an incomplete key of a delete', [{ delete: { path: [{ kind: 'Task' }] } }]);
  refused('a key of another project', [{ delete: { ...key('x'), partitionId: { projectId: 'other' } } }]);
  refused('two inserts of one entity', [{ insert: entity('x') }, { insert: entity('x') }]);
  refused('an update after a delete', [{ delete: key('x') }, { update: entity('x') }]);
  refused('a conflict strategy without a version', [{ delete: key('x'), conflictResolutionStrategy: 'FAIL' }]);
  refused('a negative base version', [{ delete: key('x'), baseVersion: -1 }]);

  test('with INVALID_ARGUMENT: more than 10 MiB', async () => {
    const entities = Array.from({ length: 11 }, (_, at) =>
      entity(`big${at}`, { a: text('x'.repeat(1_000_000), true) }),
    );
    expect(await codeOf(commit(entities.map((upsert) => ({ upsert }))))).toBe('INVALID_ARGUMENT');
    expect(await read('big0')).toBeUndefined();
  });

  test('with INVALID_ARGUMENT: two mutations of one entity that are not transactional, and no transaction', async () => {
    const mutations = [{ upsert: entity('twice') }, { delete: key('twice') }];
    expect(await codeOf(api.commit({ projectId, mode: 'NON_TRANSACTIONAL', mutations }).then())).toBe(
      'INVALID_ARGUMENT',
    );
    expect(await codeOf(api.commit({ projectId, mode: 'TRANSACTIONAL', mutations }).then())).toBe('INVALID_ARGUMENT');
  });

  test('for an unknown project and an unknown database', async () => {
    expect(await codeOf(api.lookup({ projectId: 'other', keys: [key('x')] }).then())).toBe('PERMISSION_DENIED');
    expect(await codeOf(api.lookup({ projectId, databaseId: 'other', keys: [key('x')] }).then())).toBe('NOT_FOUND');
    expect(await codeOf(api.lookup({ projectId, databaseId: '(default)', keys: [key('x')] }).then())).toBe(
      'INVALID_ARGUMENT',
    );
  });
});
