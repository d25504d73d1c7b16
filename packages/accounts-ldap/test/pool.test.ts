import { startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { openConnection } from '../src/connection/connection.ts';
import { createPool } from '../src/connection/pool.ts';
import { parseServerUrl } from '../src/connection/server-url.ts';
import { createServers } from '../src/connection/servers.ts';

const slapd = beforeTests(() => startSlapd({ users: 1 }));

const start = (checkAfterMs?: number) => {
  const failed: string[] = [];
  const settings = { name: 'corp', ca: slapd.ca, timeoutMs: 500, account: slapd.reader };
  const servers = createServers({
    servers: [parseServerUrl(slapd.tlsUrl, true)],
    probe: () => Promise.reject(new Error('not probed')),
    onRecovered: () => {},
  });
  const pool = createPool({
    ...{ name: 'corp', size: 2, timeoutMs: 500, checkAfterMs },
    servers: { ...servers, fail: (url) => void failed.push(url) },
    open: (server) => openConnection(server, settings),
  });
  const search = () =>
    pool.use('search', (client) => client.search(slapd.suffix, { scope: 'base', attributes: ['1.1'] }));
  return { pool, search, failed };
};

test('idle connections are checked, and a server that does not answer the check is left alone', async () => {
  const { pool, search, failed } = start(200);
  await Promise.all([search(), search()]);
  const before = (await slapd.statistics()).searches;
  // Reading the statistics takes three searches itself. Two rounds of checks on two connections are at least three more.
  const checks = async (reads: number) => (await slapd.statistics()).searches - before - 3 * reads;
  let reads = 0;
  await expect.poll(() => checks(++reads), { interval: 200 }).toBeGreaterThanOrEqual(3);
  expect(failed).toEqual([]);
  await slapd.pause();
  await expect.poll(() => failed.length).toBeGreaterThan(0);
  slapd.resume();
  await search();
  pool.close();
});

test('a connection that is in use at the close is closed after its operation', async () => {
  const { pool, search } = start();
  await search();
  let isOpen = () => true;
  await pool.use('search', async (client) => {
    pool.close();
    isOpen = () => client.isConnected;
    return client.search(slapd.suffix, { scope: 'base', attributes: ['1.1'] });
  });
  await expect.poll(isOpen).toBe(false);
});
