import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatastoreServer, startDatastore } from '../../src/index.ts';
import { codeOf, openApi, openClient } from './open-client.ts';

const projectId = 'carnet-test';

describe.each(['pessimistic', 'optimistic'] as const)(
  'transactions of a Datastore with %s concurrency',
  (concurrency) => {
    let server: DatastoreServer;
    let client: ReturnType<typeof openClient>;

    beforeAll(async () => {
      server = await startDatastore({ concurrency, maxLockWaitMs: 300 });
      client = openClient(server);
    });
    afterAll(() => server.close());

    const counter = (name: string) => client.key(['Counter', name]);
    const begin = async (options?: { readOnly: boolean }) => {
      const transaction = client.transaction(options);
      await transaction.run();
      return transaction;
    };

    test('let one of two that read and write the same entity commit', async () => {
      await client.insert({ key: counter('shared'), data: { n: 0 } });
      const both = [await begin(), await begin()];
      for (const transaction of both) {
        await transaction.get(counter('shared'));
        transaction.update({ key: counter('shared'), data: { n: 1 } });
      }
      const codes = await Promise.all(both.map((transaction) => codeOf(transaction.commit())));
      expect(codes.toSorted()).toEqual(['ABORTED', 'none']);
    });

    test('lose no increment of 10 at the same time, when aborted ones are tried again', async () => {
      await client.insert({ key: counter('busy'), data: { n: 0 } });
      const increment = async (): Promise<void> => {
        const transaction = await begin();
        const [found] = await transaction.get(counter('busy'));
        transaction.update({ key: counter('busy'), data: { n: found.n + 1 } });
        if ((await codeOf(transaction.commit())) === 'none') return;
        await pause(Math.random() * 20);
        await increment();
      };
      await Promise.all(Array.from({ length: 10 }, increment));
      expect((await client.get(counter('busy')))[0].n).toBe(10);
    });

    test('are aborted when an entity that they did not find is there at the commit', async () => {
      const transaction = await begin();
      await transaction.get(counter('absent'));
      const insertion = codeOf(client.insert({ key: counter('absent'), data: { n: 1 } }));
      transaction.upsert({ key: counter('beside'), data: { n: 1 } });
      // Where there are locks, the insertion waits for them: it is later than the transaction, or is aborted.
      if (concurrency === 'optimistic') expect(await insertion).toBe('none');
      const code = await codeOf(transaction.commit());
      expect([code, await insertion]).toEqual([concurrency === 'optimistic' ? 'ABORTED' : 'none', 'none']);
    });

    test('are aborted when a query of theirs has other results at the commit', async () => {
      const query = client.createQuery('Counter').filter('group', 7 as never);
      const transaction = await begin();
      expect((await transaction.runQuery(query))[0]).toEqual([]);
      await client.insert({ key: counter('phantom'), data: { group: 7 } });
      transaction.upsert({ key: counter('summary'), data: { size: 0 } });
      expect(await codeOf(transaction.commit())).toBe('ABORTED');
      expect((await client.get(counter('summary')))[0]).toBeUndefined();
    });

    test('read one snapshot if they are read-only, and write nothing', async () => {
      const key = counter('snapshot');
      await client.insert({ key, data: { n: 1, part: 1 } });
      const transaction = await begin({ readOnly: true });
      await client.update({ key, data: { n: 2, part: 1 } });
      expect((await transaction.get(key))[0].n).toBe(1);
      const query = client.createQuery('Counter').filter('part', 1 as never);
      expect((await transaction.runQuery(query))[0].map(({ n }: { n: number }) => n)).toEqual([1]);
      transaction.upsert({ key, data: { n: 3 } });
      expect(await codeOf(transaction.commit())).toBe('INVALID_ARGUMENT');
      expect((await client.get(key))[0].n).toBe(2);
    });

    test('are over after a commit and after a rollback', async () => {
      const api = openApi(server);
      const lookup = (transaction: Uint8Array | string | null | undefined) =>
        codeOf(
          api
            .lookup({ projectId, readOptions: { transaction }, keys: [{ path: [{ kind: 'Counter', name: 'x' }] }] })
            .then(),
        );
      const [{ transaction: committed }] = await api.beginTransaction({ projectId });
      const [{ transaction: rolledBack }] = await api.beginTransaction({ projectId });
      expect(await lookup(committed)).toBe('none');
      await api.commit({ projectId, mode: 'TRANSACTIONAL', transaction: committed, mutations: [] });
      await api.rollback({ projectId, transaction: rolledBack });
      expect([await lookup(committed), await lookup(rolledBack)]).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT']);
    });

    test('begin with a lookup, which answers their id', async () => {
      const api = openApi(server);
      const keys = [{ partitionId: { projectId }, path: [{ kind: 'Counter', name: 'begun' }] }];
      const [{ transaction, missing }] = await api.lookup({
        projectId,
        readOptions: { newTransaction: { readWrite: {} } },
        keys,
      });
      expect(missing).toHaveLength(1);
      const mutations = [{ insert: { key: keys[0], properties: {} } }];
      expect(await codeOf(api.commit({ projectId, mode: 'TRANSACTIONAL', transaction, mutations }).then())).toBe(
        'none',
      );
    });
  },
);

describe('a transaction', () => {
  test('has others wait for what it has read, until it ends or they are aborted', async () => {
    const server = await startDatastore({ maxLockWaitMs: 400 });
    const client = openClient(server);
    const key = client.key(['Counter', 'locked']);
    const transaction = client.transaction();
    await transaction.run();
    await transaction.get(key);
    expect(await codeOf(client.insert({ key, data: {} }))).toBe('ABORTED');
    const waiting = codeOf(client.insert({ key, data: {} }));
    await transaction.rollback();
    expect(await waiting).toBe('none');
    await server.close();
  });

  test('expires when it is idle, and its locks with it', async () => {
    const server = await startDatastore({ maxIdleSeconds: 0.2, maxLockWaitMs: 20_000 });
    const client = openClient(server);
    const key = client.key(['Counter', 'idle']);
    const transaction = client.transaction();
    await transaction.run();
    await transaction.get(key);
    expect(await codeOf(client.insert({ key, data: {} }))).toBe('none');
    transaction.upsert({ key, data: { late: true } });
    expect(await codeOf(transaction.commit())).toBe('INVALID_ARGUMENT');
    await server.close();
  });
});
