import { startMariadb } from '@carnet/test-servers';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { describe, expect, onTestFinished, test } from 'vitest';
import { redemption } from '../stores/token-requests.ts';
import { testOutages } from './database.ts';
import { expectStoreless, expectUnavailable, readiness } from './health.ts';

describe('on MariaDB', () => {
  const outage = testOutages({
    start: () => startMariadb({ settings: { 'innodb-flush-method': 'nosync', 'max-connections': '30' } }),
    stop: (server) => server.end('SIGTERM'),
    async connect(url) {
      const connection = await mysql.createConnection(url);
      // It is closed when the server is stopped.
      connection.on('error', () => {});
      return {
        query: async (sql) => (await connection.query<RowDataPacket[]>(sql))[0],
        end: async () => connection.destroy(),
      };
    },
    // `root` may write to a server that is read-only.
    setup: ["create user carnet@'127.0.0.1'", "grant all on carnet.* to carnet@'127.0.0.1'"],
    sessions: "select 1 from information_schema.processlist where user = 'carnet'",
    busy:
      "select 1 from information_schema.processlist where command <> 'Sleep' and id <> connection_id()" +
      ' union all select 1 from information_schema.innodb_trx',
    grantColumn: 'if(in_grant, place, null)',
    lock: 'lock tables carnet_record write',
    unlock: 'unlock tables',
    full: { errno: 1040 },
  });

  test('a server that is read-only is an outage, and does not even answer reads', async () => {
    const { stage, look, expectHealed } = outage;
    const setReadOnly = (value: 'on' | 'off') => look(`set global read_only = ${value}`);
    onTestFinished(async () => void (await setReadOnly('off')));
    await setReadOnly('on');
    await expect.poll(() => readiness(stage)).toMatch(/^503: The server is read-only/);
    await expectUnavailable(stage);
    const code = await expectStoreless(stage);
    expect((await redemption(code)(stage.provider)).status).toBe(503);
    await setReadOnly('off');
    await expectHealed();
    expect((await redemption(code)(stage.provider)).status).toBe(200);
  });
});
