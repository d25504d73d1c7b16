import { startPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { redemption } from '../stores/token-requests.ts';
import { testOutages } from './database.ts';
import { expectRecovery, expectStoreless, expectUnavailable, readiness } from './health.ts';
import { askAll, each, introspection, listing, storeRequests } from './requests.ts';

describe('on Postgres', () => {
  const outage = testOutages({
    start: () => startPostgres({ settings: { fsync: 'off', max_connections: '30' } }),
    stop: (server) => server.stop(),
    async connect(url) {
      const client = new pg.Client(url);
      // It is closed when the server is stopped.
      client.on('error', () => {});
      await client.connect();
      return { query: async (sql) => (await client.query(sql)).rows, end: () => client.end() };
    },
    setup: [],
    sessions: "select pid from pg_stat_activity where application_name = 'carnet'",
    busy: "select 1 from pg_stat_activity where application_name = 'carnet' and state is distinct from 'idle'",
    grantColumn: 'grant_id',
    lock: 'begin; lock table carnet_record',
    unlock: 'rollback',
    full: { code: '53300' },
  });

  test('a server that is read-only is read, and what has to be written is an outage', async () => {
    const { stage, look, expectHealed } = outage;
    await look('alter system set default_transaction_read_only = on');
    await look('select pg_reload_conf()');
    await expect.poll(() => readiness(stage)).toMatch(/^503: Postgres is read-only/);
    const reads = new Set(['introspection', 'userinfo', 'the list of clients']);
    const writes = storeRequests.filter(({ status, title }) => [200, 409].includes(status) && !reads.has(title));
    await expectUnavailable(stage, writes);
    expect(await askAll(stage, [introspection, listing])).toEqual(each('answered', [introspection, listing]));
    const code = await expectStoreless(stage);
    expect((await redemption(code)(stage.provider)).status).toBe(503);
    await look('alter system reset default_transaction_read_only');
    await look('select pg_reload_conf()');
    await expectHealed();
    expect((await redemption(code)(stage.provider)).status).toBe(200);
  });

  test('connections on which nothing is said any more are given up, while new ones work', async () => {
    const { stage, look, expectHealed } = outage;
    const sessions = await look("select pid from pg_stat_activity where application_name = 'carnet'");
    expect(sessions.length).toBeGreaterThan(0);
    const signal = (name: NodeJS.Signals) => {
      for (const { pid } of sessions) process.kill(Number(pid), name);
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
});
