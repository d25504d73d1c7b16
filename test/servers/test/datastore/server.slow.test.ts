import { afterEach, describe, expect, test } from 'vitest';
import { type DatastoreOptions, startDatastore } from '../../src/index.ts';
import { isSilent } from '../silence.ts';
import { codeOf, openClient } from './open-client.ts';

const started: { close(): Promise<void> }[] = [];
const start = async (options?: DatastoreOptions) => {
  const server = await startDatastore(options);
  started.push(server);
  const client = openClient(server);
  return { server, client, key: client.key(['Task', 'one']) };
};
afterEach(() => Promise.all(started.splice(0).map((server) => server.close())));

describe('a Datastore', () => {
  test('keeps what it answered when it is killed, and loses it when it is started empty', async () => {
    const { server, client, key } = await start();
    await client.insert({ key, data: { a: 1, when: new Date(5), list: ['x'] } });
    await client.update({ key, data: { a: 2, when: new Date(5), list: ['x'] } });
    await client.insert({ key: client.key(['Task', 'gone']), data: {} });
    await client.delete(client.key(['Task', 'gone']));
    await server.kill();
    await server.start();
    expect((await client.get(key))[0]).toMatchObject({ a: 2, when: new Date(5), list: ['x'] });
    expect((await server.statistics()).entities).toBe(1);
    expect(await codeOf(client.insert({ key, data: {} }))).toBe('ALREADY_EXISTS');
    await server.kill();
    await server.startEmpty();
    expect((await client.get(key))[0]).toBeUndefined();
  });

  test('answers no call while it is paused', async () => {
    const { server, client, key } = await start();
    await client.get(key);
    server.pause();
    const answer = client.get(key);
    expect(await isSilent(answer)).toBe(true);
    server.resume();
    expect(await answer).toEqual([undefined]);
  });

  test('delays each call by the latency, which it keeps over a restart', async () => {
    const { server, client, key } = await start({ latencyMs: 60 });
    await server.kill();
    await server.start();
    await client.get(key);
    const before = performance.now();
    await client.get(key);
    expect(performance.now() - before).toBeGreaterThan(50);
    await server.setLatency(0);
    expect((await server.statistics()).calls.Lookup).toBe(2);
  });

  test('fails calls on request, before or after they take effect', async () => {
    const { server, client, key } = await start();
    await server.failNext({ method: 'Commit', code: 'ABORTED', times: 2 });
    expect([
      await codeOf(client.insert({ key, data: {} })),
      await codeOf(client.insert({ key, data: {} })),
      await codeOf(client.insert({ key, data: {} })),
    ]).toEqual(['ABORTED', 'ABORTED', 'none']);
    const other = client.key(['Task', 'two']);
    await server.failNext({ method: 'Commit', code: 'UNAVAILABLE', applied: true });
    expect(await codeOf(client.insert({ key: other, data: { a: 1 } }))).toBe('UNAVAILABLE');
    expect((await client.get(other))[0]).toMatchObject({ a: 1 });
  });
});
