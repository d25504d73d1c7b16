import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresServer, startProxy } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { redemption } from '../stores/token-requests.ts';
import { expectRecovery, expectStoreless, expectUnavailable, isAlive, readiness, refreshClient } from './health.ts';
import { startLoad } from './load.ts';
import { prepareRedemptions } from './redemptions.ts';
import { ask, introspection, storeRequests } from './requests.ts';
import { openStage } from './stage.ts';

const poolSize = 10;
const timeoutMs = 2_000;
/** No test depends on how long it is. */
const stoppedMs = 3_000;

type Row = Readonly<Record<string, unknown>>;

interface Connection {
  query(sql: string): Promise<readonly Row[]>;
  end(): Promise<void>;
}

/** A kind of database server, with at most 30 connections. */
interface Database<Server> {
  start(): Promise<Server>;
  /** Ends it as an administrator does. */
  stop(server: Server): Promise<void>;
  /** Connects as an administrator. The connection may be lost with the server. */
  connect(url: string): Promise<Connection>;
  /** Creates the user `carnet` of the provider, unless the server has it. */
  readonly setup: readonly string[];
  /** Queries for the sessions of the provider, and for what is still in progress on the server. */
  readonly sessions: string;
  readonly busy: string;
  /** The column of the grant of `carnet_record`. */
  readonly grantColumn: string;
  readonly lock: string;
  readonly unlock: string;
  /** The error of a server whose connections are all taken. */
  readonly full: object;
}

type TestServer = Pick<PostgresServer, 'url' | 'port' | 'kill' | 'start' | 'pause' | 'resume' | 'close'>;

const openOutage = async <Server extends TestServer>(database: Database<Server>) => {
  const server = await database.start();
  const proxy = await startProxy({ port: server.port });
  const connect = () => database.connect(server.url);
  const look = async (sql: string): Promise<readonly Row[]> => {
    const connection = await connect();
    try {
      return await connection.query(sql);
    } finally {
      await connection.end();
    }
  };
  for (const statement of database.setup) await look(statement);
  const url = new URL(server.url);
  url.username = 'carnet';
  url.port = `${proxy.port}`;
  url.search = `pool=${poolSize}&timeout=${timeoutMs}`;
  const stage = await openStage({ default: url.href });

  const count = async (sql: string): Promise<number> => (await look(sql)).length;
  return {
    server,
    proxy,
    stage,
    connect,
    /** The rows of a query, over a connection of its own. */
    look,
    usedCodes: () => count("select 1 from carnet_record where kind = 'authorization_code'"),
    /** How many access tokens there are at most for one grant. */
    async mostTokens(): Promise<number> {
      const [row] = await look(
        `select count(*) as tokens from carnet_record where kind = 'access_token' group by ${database.grantColumn} order by 1 desc`,
      );
      return Number(row?.tokens);
    },
    /** Everything works, and nothing is left of the outage. */
    async expectHealed(): Promise<void> {
      await expectRecovery(stage);
      await expect.poll(() => count(database.busy), { interval: 150 }).toBe(0);
      await expect.poll(() => count(database.sessions)).toBeLessThanOrEqual(poolSize);
      await expect.poll(() => proxy.connections()).toBeLessThanOrEqual(poolSize);
    },
    async stop(): Promise<void> {
      await stage.stop();
      await proxy.close();
      await server.close();
    },
  };
};

/** The tests of all database servers. Returns what the tests of one of them need. */
export const testOutages = <Server extends TestServer>(database: Database<Server>) => {
  const outage = beforeTests(() => openOutage(database));

  beforeEach(() => refreshClient(outage.stage));
  afterEach(async () => {
    await outage.proxy.set('pass');
    await outage.look('select 1').catch(() => outage.server.start());
  });

  test('a server that is stopped for a while is an outage, and then none', async () => {
    const { server, stage } = outage;
    const load = startLoad(stage);
    await database.stop(server);
    const isOver = pause(stoppedMs);
    const code = await expectStoreless(stage);
    await expectUnavailable(stage);
    await isOver;
    await expectUnavailable(stage);
    await server.start();
    await outage.expectHealed();
    expect(await load.stop()).toEqual(['answered', 'unavailable']);
    expect((await redemption(code)(stage.provider)).status).toBe(200);
  });

  test('a server that is killed and started again under load gives no code twice', async () => {
    const { server, stage } = outage;
    const used = await prepareRedemptions(stage, 5);
    await used.sendAll();
    const redemptions = await prepareRedemptions(stage, 40);
    const load = startLoad(stage);
    const sent = redemptions.sendAll();
    await server.kill();
    await sent;
    await server.start();
    await outage.expectHealed();
    expect((await load.stop()).filter((verdict) => verdict !== 'answered')).toEqual(['unavailable']);
    await redemptions.settle();
    expect(await outage.mostTokens()).toBe(1);
    await redemptions.expectUsed();
    await used.expectUsed();
  });

  test('a code whose redemption was carried out and reported as unavailable is used', async () => {
    const { proxy, stage, usedCodes } = outage;
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
    await outage.expectHealed();
    await redemptions.expectUsed();
    expect(await outage.mostTokens()).toBe(1);
  });

  test('a pool in which every statement waits for a lock is an outage, and no request waits for long', async () => {
    const { proxy, stage } = outage;
    const redemptions = await prepareRedemptions(stage, 2 * poolSize);
    const holder = await outage.connect();
    onTestFinished(() => holder.end());
    await holder.query(database.lock);
    const load = startLoad(stage);
    await redemptions.sendAll();
    expect(await ask(introspection, stage)).toBe('unavailable');
    expect(await isAlive(stage)).toBe(true);
    // Those that are being closed count as well.
    expect(proxy.connections()).toBeLessThanOrEqual(2 * poolSize);
    await holder.query(database.unlock);
    await outage.expectHealed();
    expect(await load.stop()).toEqual(['answered', 'unavailable']);
    await redemptions.settle();
    expect(await outage.mostTokens()).toBe(1);
    await redemptions.expectUsed();
  });

  test('a server that is half a second away is slow, and no more', async () => {
    const { proxy, stage } = outage;
    await proxy.set({ delayMs: 500 });
    for (const request of storeRequests)
      expect([request.title, await ask(request, stage)]).toEqual([request.title, 'answered']);
    expect(await readiness(stage)).toBe('ready');
    const code = await expectStoreless(stage);
    expect((await redemption(code)(stage.provider)).status).toBe(200);
    await proxy.set('pass');
    await outage.expectHealed();
  });

  test('a server that accepts connections and does not answer is an outage', async () => {
    const { server, stage } = outage;
    const redemptions = await prepareRedemptions(stage, 5);
    await refreshClient(stage);
    server.pause();
    try {
      await expectStoreless(stage);
      await redemptions.sendAll();
      await expectUnavailable(stage);
    } finally {
      server.resume();
    }
    await outage.expectHealed();
    await redemptions.settle();
    expect(await outage.mostTokens()).toBe(1);
    await redemptions.expectUsed();
  });

  test('a server whose connections are all taken is an outage', async () => {
    const { proxy, stage } = outage;
    await proxy.set('refuse');
    const others: Connection[] = [];
    const takeAll = async (): Promise<unknown> => {
      for (;;) {
        try {
          others.push(await outage.connect());
        } catch (error) {
          return error;
        }
      }
    };
    try {
      expect(await takeAll()).toMatchObject(database.full);
      await proxy.set('pass');
      await expectStoreless(stage);
      await expectUnavailable(stage);
    } finally {
      for (const other of others) await other.end();
    }
    await outage.expectHealed();
  });

  return outage;
};
