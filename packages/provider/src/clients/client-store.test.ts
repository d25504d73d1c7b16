import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, it } from 'vitest';
import { recordId } from '../storage/record-id.ts';
import { type ClientRecord, clientMetadata, fromStoredRecord, toStoredRecord } from './client-record.ts';
import { createClientStore } from './client-store.ts';
import { parseClient } from './parse-client.ts';

const client = (id: string, name = ''): ClientRecord => ({
  id,
  metadata: clientMetadata(id, parseClient({ client_name: name }).metadata, '2026-01-01T00:00:00Z'),
  secrets: ['$sha256$x'],
});

/** The memory adapter, whose calls wait for `release` once `hold` was called. */
const openGatedAdapter = (shared = false) => {
  const inner = openMemoryAdapter();
  let gate: PromiseWithResolvers<void> | undefined;
  const held = async <T>(answer: Promise<T>): Promise<T> => {
    const [value] = await Promise.all([answer, gate?.promise]);
    return value;
  };
  const adapter: StorageAdapter = {
    ...inner,
    capabilities: { ...inner.capabilities, shared },
    read: (keys) => held(inner.read(keys)),
    list: (query) => held(inner.list(query)),
  };
  const hold = () => {
    gate = Promise.withResolvers();
  };
  const release = () => {
    gate?.resolve();
    gate = undefined;
  };
  return { adapter, inner, hold, release };
};

describe('client record', () => {
  it('the record is stored under the hash of its id, never expires, and is read as it was written', () => {
    const record = client('my-app', 'Ünïcode\u2028');
    const stored = toStoredRecord(record);
    expect(stored).toMatchObject({ kind: 'client', id: recordId('my-app'), clientId: 'my-app', expiresAt: null });
    expect(toStoredRecord(fromStoredRecord(stored))).toEqual(stored);
  });

  it.each([
    'secret',
    'null',
    '[]',
    '{}',
    '{"metadata":null,"secrets":[]}',
    '{"metadata":{"client_id":1},"secrets":[]}',
  ])('says so when the store holds %s instead', (payload) => {
    expect(() => fromStoredRecord({ id: 'x', payload })).toThrow('The stored client x has no readable payload');
  });
});

describe('createClientStore', () => {
  it('creates, finds, replaces and removes', async () => {
    const store = createClientStore({ adapter: openMemoryAdapter() });
    await store.create(client('a'));
    expect((await store.find('a'))?.secrets).toEqual(['$sha256$x']);
    await expect(store.create(client('a'))).rejects.toMatchObject({ code: 'conflict' });
    await store.replace(client('a', 'new'));
    expect((await store.find('a'))?.metadata.client_name).toBe('new');
    await store.remove('a');
    expect(await store.find('a')).toBeUndefined();
    await expect(store.replace(client('a'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.remove('a')).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.update('a', (record) => record)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('answers the same object without asking the store, while nothing is written', async () => {
    const adapter = openMemoryAdapter();
    await createClientStore({ adapter }).create(client('a'));
    let nowMs = 0;
    const store = createClientStore({ adapter, now: () => nowMs });
    const first = await store.find('a');
    nowMs += 3_600_000;
    expect(await store.find('a')).toBe(first);
    expect((await store.list({ limit: 10 })).records[0]).toBe(first);
    expect(await store.findFresh('a')).toBe(first);
    expect(store.stats()).toEqual({ reads: 2, parses: 1 });
  });

  it('knows what it has written itself without asking the store', async () => {
    const store = createClientStore({ adapter: openMemoryAdapter() });
    await store.create(client('a'));
    const before = await store.find('a');
    await store.replace(client('a', 'new'));
    const after = await store.find('a');
    expect(after).not.toBe(before);
    expect(after?.metadata.client_name).toBe('new');
    await store.replace(client('a', 'new'));
    expect(await store.find('a')).toBe(after);
    expect(store.stats().reads).toBe(0);
  });

  it('asks a shared store again when what it knows is stale, and keeps the object if the text is the same', async () => {
    const { adapter, inner } = openGatedAdapter(true);
    let nowMs = 0;
    const store = createClientStore({ adapter, staleSeconds: 5, now: () => nowMs });
    await store.create(client('a'));
    const first = await store.find('a');
    nowMs += 4999;
    expect(await store.find('a')).toBe(first);
    expect(store.stats().reads).toBe(0);
    nowMs += 1;
    expect(await store.find('a')).toBe(first);
    expect(store.stats().reads).toBe(1);
    await inner.commit([{ type: 'put', record: toStoredRecord(client('a', 'by another process')) }]);
    expect(await store.find('a')).toBe(first);
    expect((await store.findFresh('a'))?.metadata.client_name).toBe('by another process');
    expect((await store.find('a'))?.metadata.client_name).toBe('by another process');
    await inner.commit([{ type: 'remove', key: toStoredRecord(client('a')) }]);
    nowMs += 5000;
    expect(await store.find('a')).toBeUndefined();
  });

  it('shares one read between those who miss a client at the same time', async () => {
    const { adapter, inner, hold, release } = openGatedAdapter();
    await inner.commit([{ type: 'claim', record: toStoredRecord(client('a')) }]);
    const store = createClientStore({ adapter });
    hold();
    const finds = Array.from({ length: 20 }, () => store.find('a'));
    release();
    expect(new Set(await Promise.all(finds)).size).toBe(1);
    expect(store.stats()).toEqual({ reads: 1, parses: 1 });
  });

  it('gives those who want it fresh a read that began after they asked, one for all of them', async () => {
    const { adapter, inner, hold, release } = openGatedAdapter(true);
    await inner.commit([{ type: 'claim', record: toStoredRecord(client('a', 'old')) }]);
    const store = createClientStore({ adapter });
    hold();
    const early = store.findFresh('a');
    await inner.commit([{ type: 'put', record: toStoredRecord(client('a', 'new')) }]);
    const late = Array.from({ length: 20 }, () => store.findFresh('a'));
    release();
    expect((await early)?.metadata.client_name).toBe('old');
    for (const record of await Promise.all(late)) expect(record?.metadata.client_name).toBe('new');
    expect(store.stats().reads).toBe(2);
  });

  it('does not remember that a client was missing', async () => {
    const { adapter, inner } = openGatedAdapter();
    const store = createClientStore({ adapter });
    expect(await store.find('a')).toBeUndefined();
    await inner.commit([{ type: 'claim', record: toStoredRecord(client('a')) }]);
    expect((await store.find('a'))?.id).toBe('a');
  });

  it.each(['find', 'list'] as const)(
    'does not let a slow %s bring back what a write has replaced meanwhile',
    async (kind) => {
      const { adapter, inner, hold, release } = openGatedAdapter();
      await inner.commit([{ type: 'claim', record: toStoredRecord(client('a', 'old')) }]);
      const store = createClientStore({ adapter });
      hold();
      const slow = kind === 'find' ? store.find('a') : store.list({ limit: 10 });
      await store.replace(client('a', 'new'));
      const during = store.find('a');
      release();
      await slow;
      expect((await during)?.metadata.client_name).toBe('new');
      expect((await store.find('a'))?.metadata.client_name).toBe('new');
    },
  );

  it('does not let a slow read bring back what was removed meanwhile', async () => {
    const { adapter, inner, hold, release } = openGatedAdapter();
    await inner.commit([{ type: 'claim', record: toStoredRecord(client('a')) }]);
    const store = createClientStore({ adapter });
    hold();
    const slow = store.find('a');
    await inner.commit([{ type: 'remove', key: toStoredRecord(client('a')) }]);
    // A write of this process that fails for `a` being gone.
    await expect(store.replace(client('a'))).rejects.toMatchObject({ code: 'not_found' });
    release();
    expect((await slow)?.id).toBe('a');
    expect(await store.find('a')).toBeUndefined();
  });

  it('does not let a slow list bring back what a later read has found changed', async () => {
    const inner = openMemoryAdapter();
    await inner.commit([{ type: 'claim', record: toStoredRecord(client('a', 'old')) }]);
    const gate = Promise.withResolvers<void>();
    const list: StorageAdapter['list'] = async (query) => {
      const page = await inner.list(query);
      await gate.promise;
      return page;
    };
    let nowMs = 0;
    const store = createClientStore({ adapter: { ...inner, list }, now: () => nowMs++ });
    const slow = store.list({ limit: 10 });
    await inner.commit([{ type: 'put', record: toStoredRecord(client('a', 'by another process')) }]);
    await store.findFresh('a');
    gate.resolve();
    expect((await slow).records[0]?.metadata.client_name).toBe('old');
    expect((await store.find('a'))?.metadata.client_name).toBe('by another process');
  });

  it('asks the store which of two writes at once came last', async () => {
    const { adapter } = openGatedAdapter();
    const gates: (() => void)[] = [];
    const slowest: StorageAdapter = {
      ...adapter,
      commit: async (writes) => {
        const answer = await adapter.commit(writes);
        await new Promise<void>((resolve) => gates.push(resolve));
        return answer;
      },
    };
    const store = createClientStore({ adapter: slowest });
    const release = async (index: number) => {
      while (gates.length <= index) await new Promise(setImmediate);
      gates[index]?.();
    };
    const created = store.create(client('a'));
    await release(0);
    await created;
    const [first, second] = [store.replace(client('a', 'first')), store.replace(client('a', 'second'))];
    await release(2);
    await second;
    await release(1);
    await first;
    expect((await store.find('a'))?.metadata.client_name).toBe('second');
  });

  it('asks the store again when a write has failed halfway', async () => {
    const { adapter } = openGatedAdapter();
    let fails = false;
    const flaky: StorageAdapter = {
      ...adapter,
      commit: async (writes) => {
        const answer = await adapter.commit(writes);
        if (fails) throw new Error('connection lost after the commit');
        return answer;
      },
    };
    const store = createClientStore({ adapter: flaky });
    await store.create(client('a', 'old'));
    fails = true;
    await expect(store.replace(client('a', 'new'))).rejects.toThrow('connection lost');
    expect((await store.find('a'))?.metadata.client_name).toBe('new');
  });

  it('applies changes of one client one after the other', async () => {
    const store = createClientStore({ adapter: openMemoryAdapter() });
    await store.create(client('a'));
    const append = (letter: string) =>
      store.update('a', async (record) => {
        await new Promise(setImmediate);
        return client('a', record.metadata.client_name + letter);
      });
    const failing = store.update('a', () => Promise.reject(new Error('no')));
    const settled = await Promise.allSettled([append('x'), failing, append('y'), append('z')]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((await store.find('a'))?.metadata.client_name).toBe('xyz');
  });

  it('keeps no more clients than it may, and lists push none of them out', async () => {
    const adapter = openMemoryAdapter();
    const writer = createClientStore({ adapter });
    for (const id of ['a', 'b', 'c']) await writer.create(client(id));
    const store = createClientStore({ adapter, maxEntries: 2 });
    await store.find('a');
    await store.find('b');
    await store.list({ limit: 10 });
    await store.find('a');
    await store.find('b');
    expect(store.stats().reads).toBe(2);
    await store.find('c');
    await store.find('a');
    expect(store.stats().reads).toBe(4);
  });

  it('lists in pages', async () => {
    const store = createClientStore({ adapter: openMemoryAdapter() });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await store.create(client(id));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await store.list({ limit: 2, after });
      seen.push(...page.records.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(seen.sort()).toEqual(ids);
  });

  it('passes on an outage of the store', async () => {
    const outage = new Error('down');
    const adapter = { ...openMemoryAdapter(), read: (): Promise<FoundRecord[]> => Promise.reject(outage) };
    const store = createClientStore({ adapter });
    await expect(store.find('a')).rejects.toBe(outage);
    await expect(store.findFresh('a')).rejects.toBe(outage);
  });
});
