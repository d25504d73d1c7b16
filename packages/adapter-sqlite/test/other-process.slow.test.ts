import { laws, openInOtherProcess } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-sqlite';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { folderForTests } from '../../../test/servers/src/folder-for-tests.ts';

vi.stubEnv('NODE_OPTIONS', '--conditions=@carnet/source');
const url = `sqlite:${folderForTests()}/carnet.db`;
const module = new URL('../src/index.ts', import.meta.url);
const open = () => openInOtherProcess(module, url);
const store = await openAdapter({ url });
afterAll(() => store.close());

describe('an adapter in another process', () => {
  // packages/adapter-contract/README.md shows these two.
  for (const law of laws.filter(({ needs }) => needs?.shared || needs?.durable))
    test(`keeps the law ${law.name}`, { timeout: 60_000 }, () => law.check({ store, open }));

  test('keeps its commits when it is killed, and rejects later calls', async () => {
    const other = await open();
    const record = { kind: 'flow', id: 'kept', payload: '{}', expiresAt: null } as const;
    expect(await other.commit([{ type: 'claim', record }])).toBeUndefined();
    await other.kill();
    await expect(other.ping()).rejects.toThrow('ended');
    expect(await store.read([record])).toMatchObject([{ id: 'kept' }]);
    await other.kill();
  });

  test('names the write of a conflict by the object that was passed', async () => {
    const other = await open();
    const write = { type: 'remove', key: { kind: 'flow', id: 'absent' } } as const;
    const refused = { type: 'consume', key: write.key, at: new Date() } as const;
    const conflict = await other.commit([write, refused]);
    expect(conflict?.write).toBe(refused);
    expect(conflict?.reason).toBe('absent');
    await other.close();
    await expect(other.ping()).rejects.toThrow('ended');
  });

  test('rejects with the error of openAdapter, by its name', async () => {
    const opening = openInOtherProcess(module, 'sqlite:/no/such/folder/carnet.db');
    await expect(opening).rejects.toThrow(expect.objectContaining({ name: expect.stringMatching(/Error$/) }));
  });
});
