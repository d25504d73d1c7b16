import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresServer, startPostgres, startProxy, type TestProxy } from '@carnet/test-servers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { redemption } from '../stores/token-requests.ts';
import { expectRecovery, expectStoreless, expectUnavailable, isAlive, readiness, refreshClient } from './health.ts';
import { startLoad } from './load.ts';
import { prepareRedemptions } from './redemptions.ts';
import { ask, askAll, each, introspection, listing, storeRequests } from './requests.ts';
import { openStage, type Stage } from './stage.ts';

const poolSize = 10;
const timeoutMs = 2_000;
/** By hand it was 30 seconds: nothing depends on how long it is. */
const stoppedMs = 5_000;

describe('on Postgres', () => {
  let server: PostgresServer;
  let proxy: TestProxy;
  let stage: Stage;
  let observer: pg.Client;

  const observe = async (): Promise<pg.Client> => {
    const client = new pg.Client(server.url);
    // It is thrown out when the server is.
    client.on('error', () => {});
    await client.connect();
    return client;
  };

  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: 'off', max_connections: '30' } });
    proxy = await startProxy({ port: server.port });
    const url = new URL(server.url);
    url.port = `${proxy.port}`;
    url.search = `pool=${poolSize}&timeout=${timeoutMs}`;
    stage = await openStage({ default: url.href });
  });
  afterAll(async () => {
    await stage?.stop();
    await proxy?.close();
    await server?.close();
  });

  beforeEach(async () => {
    observer = await observe();
    await refreshClient(stage);
  });
  afterEach(async () => {
    await observer.end();
    await proxy.set('pass');
    if (isDown()) await server.start();
  });
  const isDown = (): boolean => {
    try {
      return server.pid === 0;
    } catch {
      return true;
    }
  };

  /** The provider's sessions, by state. */
  const sessions = async (): Promise<readonly string[]> => {
    const { rows } = await observer.query(`select state from pg_stat_activity where application_name = 'carnet'`);
    return rows.map(({ state }) => state);
  };

  /** Everything works, and nothing is left of the outage. */
  const expectHealed = async (): Promise<void> => {
    await expectRecovery(stage);
    if (!(await isConnected())) observer = await observe();
    await expect.poll(async () => (await sessions()).filter((state) => state !== 'idle')).toEqual([]);
    expect((await sessions()).length).toBeLessThanOrEqual(poolSize);
    await expect.poll(() => proxy.connections()).toBeLessThanOrEqual(poolSize);
  };
  const isConnected = () =>
    observer.query('select').then(
      () => true,
      () => false,
    );

  /** How many access tokens there are at most for one grant. */
  const mostTokens = async (): Promise<number> => {
    const { rows } = await observer.query(
      `select count(*)::int as tokens from carnet_record where kind = 'access_token' group by grant_id order by 1 desc`,
    );
    return rows[0]?.tokens;
  };

  test('a server that is stopped for a while is an outage, and then none', async () => {
    const load = startLoad(stage);
    await server.stop();
    const isOver = pause(stoppedMs);
    const code = await expectStoreless(stage);
    await expectUnavailable(stage);
    await isOver;
    await expectUnavailable(stage);
    await server.start();
    await expectHealed();
    expect(await load.stop()).toEqual(['answered', 'unavailable']);
    expect((await redemption(code)(stage.provider)).status).toBe(200);
  });

  test('a server that is killed and started again under load gives no code twice', async () => {
    const used = await prepareRedemptions(stage, 5);
    await used.sendAll();
    const redemptions = await prepareRedemptions(stage, 40);
    const load = startLoad(stage);
    const sent = redemptions.sendAll();
    await server.kill();
    await sent;
    await server.start();
    await expectHealed();
    expect((await load.stop()).filter((verdict) => verdict !== 'answered')).toEqual(['unavailable']);
    await redemptions.settle();
    expect(await mostTokens()).toBe(1);
    await redemptions.expectUsed();
    await used.expectUsed();
  });

  test('a code whose redemption was carried out and told to be unavailable is used', async () => {
    const redemptions = await prepareRedemptions(stage, 5);
    await proxy.set({ delayMs: 500 });
    const before = await usedCodes();
    const sent = redemptions.sendAll();
    await expect.poll(usedCodes).toBe(before + 5);
    await proxy.set('silent');
    // By now every answer was on its way, and is swallowed when it arrives.
    await pause(500);
    await proxy.set('pass');
    expect(await sent).toEqual(Array(5).fill(503));
    await expectHealed();
    await redemptions.expectUsed();
    expect(await mostTokens()).toBe(1);
  });
  const usedCodes = async (): Promise<number> => {
    const { rows } = await observer.query(
      `select count(*)::int as codes from carnet_record where kind = 'authorization_code'`,
    );
    return rows[0]?.codes;
  };

  test('a server that is read-only is read, and what has to be written is an outage', async () => {
    await observer.query('alter system set default_transaction_read_only = on');
    await observer.query('select pg_reload_conf()');
    await expect.poll(() => readiness(stage)).toMatch(/^503: Postgres is read-only/);
    const reads = new Set(['introspection', 'userinfo', 'the list of clients']);
    const writes = storeRequests.filter(({ status, title }) => [200, 409].includes(status) && !reads.has(title));
    await expectUnavailable(stage, writes);
    expect(await askAll(stage, [introspection, listing])).toEqual(each('answered', [introspection, listing]));
    const code = await expectStoreless(stage);
    expect((await redemption(code)(stage.provider)).status).toBe(503);
    await observer.query('alter system reset default_transaction_read_only');
    await observer.query('select pg_reload_conf()');
    await expectHealed();
    expect((await redemption(code)(stage.provider)).status).toBe(200);
  });

  test('a pool in which every statement waits for a lock is an outage, and nobody waits for long', async () => {
    const redemptions = await prepareRedemptions(stage, 2 * poolSize);
    await observer.query('begin; lock table carnet_record');
    const load = startLoad(stage);
    await redemptions.sendAll();
    await refuteHang();
    await observer.query('rollback');
    await expectHealed();
    expect(await load.stop()).toEqual(['answered', 'unavailable']);
    await redemptions.settle();
    expect(await mostTokens()).toBe(1);
    await redemptions.expectUsed();
  });
  const refuteHang = async () => {
    expect(await ask(introspection, stage)).toBe('unavailable');
    expect(await isAlive(stage)).toBe(true);
    // Those that are being closed count as well.
    expect(proxy.connections()).toBeLessThanOrEqual(2 * poolSize);
  };

  test('a server that is half a second away is slow, and no more', async () => {
    await proxy.set({ delayMs: 500 });
    for (const request of storeRequests)
      expect([request.title, await ask(request, stage)]).toEqual([request.title, 'answered']);
    expect(await readiness(stage)).toBe('ready');
    const code = await expectStoreless(stage);
    expect((await redemption(code)(stage.provider)).status).toBe(200);
    await proxy.set('pass');
    await expectHealed();
  });

  test('a server that accepts and says nothing is an outage', async () => {
    const redemptions = await prepareRedemptions(stage, 5);
    await refreshClient(stage);
    await proxy.set('silent');
    await expectStoreless(stage);
    await redemptions.sendAll();
    await expectUnavailable(stage);
    await proxy.set('pass');
    await expectHealed();
    await redemptions.settle();
    expect(await mostTokens()).toBe(1);
    await redemptions.expectUsed();
  });

  test('connections on which nothing is said any more are given up, while new ones work', async () => {
    const { rows } = await observer.query(`select pid from pg_stat_activity where application_name = 'carnet'`);
    expect(rows.length).toBeGreaterThan(0);
    const signal = (name: NodeJS.Signals) => {
      for (const { pid } of rows) process.kill(pid, name);
    };
    signal('SIGSTOP');
    try {
      expect(await readiness(stage)).toMatch(/^503/);
      await expectRecovery(stage);
    } finally {
      signal('SIGCONT');
    }
    await expectHealed();
  });

  test('a server whose connections are all taken is an outage', async () => {
    await proxy.set('refuse');
    const others: pg.Client[] = [];
    const takeAll = async (): Promise<unknown> => {
      for (;;) {
        try {
          others.push(await observe());
        } catch (error) {
          return (error as { code: string }).code;
        }
      }
    };
    try {
      expect(await takeAll()).toBe('53300');
      await proxy.set('pass');
      await expectStoreless(stage);
      await expectUnavailable(stage);
    } finally {
      for (const other of others) await other.end();
    }
    await expectHealed();
  });
});
