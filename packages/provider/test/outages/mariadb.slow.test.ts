import { setTimeout as pause } from 'node:timers/promises';
import { type MariadbServer, startMariadb, startProxy, type TestProxy } from '@carnet/test-servers';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { redemption } from '../stores/token-requests.ts';
import { expectRecovery, expectStoreless, expectUnavailable, isAlive, readiness, refreshClient } from './health.ts';
import { startLoad } from './load.ts';
import { prepareRedemptions } from './redemptions.ts';
import { ask, introspection, storeRequests } from './requests.ts';
import { openStage, type Stage } from './stage.ts';

const poolSize = 10;
const timeoutMs = 2_000;
const stoppedMs = 3_000;

describe('on MariaDB', () => {
  let server: MariadbServer;
  let proxy: TestProxy;
  let stage: Stage;
  let observer: Connection;

  const observe = async (): Promise<Connection> => {
    const connection = await mysql.createConnection(server.url);
    // It is closed when the server is stopped.
    connection.on('error', () => {});
    return connection;
  };

  beforeAll(async () => {
    server = await startMariadb({ settings: { 'innodb-flush-method': 'nosync', 'max-connections': '30' } });
    proxy = await startProxy({ port: server.port });
    // `root` may write to a server that is read-only.
    await look("create user carnet@'127.0.0.1'");
    await look("grant all on carnet.* to carnet@'127.0.0.1'");
    const url = new URL(server.url);
    url.username = 'carnet';
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
    observer.destroy();
    await proxy.set('pass');
    if (!server.isRunning()) await server.start();
    await look('set global read_only = off');
  });

  const look = async (sql: string): Promise<readonly RowDataPacket[]> => {
    const connection = await observe();
    try {
      return (await connection.query<RowDataPacket[]>(sql))[0];
    } finally {
      connection.destroy();
    }
  };

  /** Sessions that are in a statement or a transaction. */
  const busySessions = async (): Promise<number> =>
    (await look("select 1 from information_schema.processlist where command <> 'Sleep' and id <> connection_id()"))
      .length + (await look('select 1 from information_schema.innodb_trx')).length;

  /** Everything works, and nothing is left of the outage. */
  const expectHealed = async (): Promise<void> => {
    await expectRecovery(stage);
    await expect.poll(busySessions, { interval: 150 }).toBe(0);
    await expect.poll(() => proxy.connections()).toBeLessThanOrEqual(poolSize);
  };

  /** How many access tokens there are at most for one grant. */
  const mostTokens = async (): Promise<number> => {
    const [row] = await look(
      "select count(*) as tokens from carnet_record where kind = 'access_token' and in_grant = 1 group by place order by 1 desc",
    );
    return row?.tokens;
  };

  test('a server that is stopped for a while is an outage, and then none', async () => {
    const load = startLoad(stage);
    await server.end('SIGTERM');
    const isOver = pause(stoppedMs);
    const code = await expectStoreless(stage);
    await expectUnavailable(stage);
    await isOver;
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

  test('a code whose redemption was carried out and reported as unavailable is used', async () => {
    const usedCodes = async () => (await look("select 1 from carnet_record where kind = 'authorization_code'")).length;
    const redemptions = await prepareRedemptions(stage, 5);
    await proxy.set({ delayMs: 500 });
    const before = await usedCodes();
    const sent = redemptions.sendAll();
    await expect.poll(usedCodes).toBe(before + 5);
    await proxy.set('silent');
    // Every answer was on its way, and is lost when it arrives.
    await pause(500);
    await proxy.set('pass');
    expect(await sent).toEqual(Array(5).fill(503));
    await expectHealed();
    await redemptions.expectUsed();
    expect(await mostTokens()).toBe(1);
  });

  test('a server that is read-only is an outage, and does not even answer reads', async () => {
    await observer.query('set global read_only = on');
    await expect.poll(() => readiness(stage)).toMatch(/^503: The server is read-only/);
    await expectUnavailable(stage);
    const code = await expectStoreless(stage);
    expect((await redemption(code)(stage.provider)).status).toBe(503);
    await observer.query('set global read_only = off');
    await expectHealed();
    expect((await redemption(code)(stage.provider)).status).toBe(200);
  });

  test('a pool in which every statement waits for a lock is an outage, and no request waits for long', async () => {
    const redemptions = await prepareRedemptions(stage, 2 * poolSize);
    await observer.query('lock tables carnet_record write');
    const load = startLoad(stage);
    await redemptions.sendAll();
    expect(await ask(introspection, stage)).toBe('unavailable');
    expect(await isAlive(stage)).toBe(true);
    expect(proxy.connections()).toBeLessThanOrEqual(2 * poolSize);
    await observer.query('unlock tables');
    await expectHealed();
    expect(await load.stop()).toEqual(['answered', 'unavailable']);
    await redemptions.settle();
    expect(await mostTokens()).toBe(1);
    await redemptions.expectUsed();
  });

  test('a server that is half a second away is slow, and no more', async () => {
    await proxy.set({ delayMs: 500 });
    for (const request of storeRequests)
      expect([request.title, await ask(request, stage)]).toEqual([request.title, 'answered']);
    expect(await readiness(stage)).toBe('ready');
    await proxy.set('pass');
    await expectHealed();
  });

  test('a server that accepts connections and does not answer is an outage', async () => {
    const redemptions = await prepareRedemptions(stage, 5);
    await refreshClient(stage);
    server.pause();
    await expectStoreless(stage);
    await redemptions.sendAll();
    await expectUnavailable(stage);
    server.resume();
    await expectHealed();
    await redemptions.settle();
    expect(await mostTokens()).toBe(1);
    await redemptions.expectUsed();
  });

  test('a server whose connections are all taken is an outage', async () => {
    await proxy.set('refuse');
    const others: Connection[] = [];
    const takeAll = async (): Promise<unknown> => {
      for (;;) {
        try {
          others.push(await observe());
        } catch (error) {
          return (error as { errno: number }).errno;
        }
      }
    };
    try {
      expect(await takeAll()).toBe(1040);
      await proxy.set('pass');
      await expectStoreless(stage);
      await expectUnavailable(stage);
    } finally {
      for (const other of others) other.destroy();
    }
    await expectHealed();
  });
});
