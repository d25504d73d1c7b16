import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from './connection.ts';
import type { ServerUrl } from './server-url.ts';
import { createServers } from './servers.ts';

const server = (host: string): ServerUrl => ({ url: `ldaps://${host}`, host, port: 636, security: 'tls' });
const [first, second] = [server('first'), server('second')];

const start = () => {
  const down = new Set<string>();
  const probed: string[] = [];
  const tried: string[] = [];
  const recovered: (readonly string[])[] = [];
  const servers = createServers({
    servers: [first, second],
    async probe({ url }) {
      probed.push(url);
      if (down.has(url)) throw new Error('down');
    },
    onRecovered: (later) => recovered.push(later),
  });
  const connect = () =>
    servers.connect(async ({ url }) => {
      tried.push(url);
      if (down.has(url)) throw new Error(`${url} is down`);
      return { url } as Connection;
    });
  return { down, probed, tried, recovered, servers, connect };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first server in the order is used, and the next one while it is down', async () => {
  const { down, tried, connect } = start();
  expect((await connect()).url).toBe(first.url);
  down.add(first.url);
  expect((await connect()).url).toBe(second.url);
  tried.length = 0;
  expect((await connect()).url).toBe(second.url);
  expect(tried).toEqual([second.url]);
});

test('a server that failed is probed after 30 seconds, then after twice as long, at most every 5 minutes', async () => {
  const { down, probed, connect } = start();
  down.add(first.url);
  await connect();
  const counts: number[] = [];
  for (const seconds of [29, 1, 59, 1, 119, 1, 239, 1, 299, 1, 299, 1]) {
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    counts.push(probed.length);
  }
  expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
});

test('a server that answers a probe is used again, and the ones behind it are left', async () => {
  const { down, recovered, connect } = start();
  down.add(first.url);
  await connect();
  down.clear();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(recovered).toEqual([[second.url]]);
  expect((await connect()).url).toBe(first.url);
});

test('a server that failed is tried at once if no other one answers', async () => {
  const { down, connect } = start();
  down.add(first.url).add(second.url);
  await expect(connect()).rejects.toThrow('down');
  down.delete(second.url);
  expect((await connect()).url).toBe(second.url);
});

test('closing the connections ends the probes', async () => {
  const { down, probed, servers, connect } = start();
  down.add(first.url);
  await connect();
  servers.close();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(probed).toEqual([]);
});
