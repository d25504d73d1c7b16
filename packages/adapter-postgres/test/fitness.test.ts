import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { startPostgres } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, expect, test } from 'vitest';
import { openAdapter, openPostgresAdapter } from '../src/index.ts';
import { claim, createStore, freshId, freshRecord, put, revoke, withClient, withMigrator, withStore } from './store.ts';

const server = beforeTests(() => startPostgres());
let url: string;
beforeAll(async () => {
  url = await createStore(server);
});

const withOptions = (options: string) => `${url}?options=${encodeURIComponent(options)}`;

test('a statement on its own runs under repeatable read', async () => {
  await withClient(
    url,
    async (client) => {
      const { rows } = await client.query("select current_setting('transaction_isolation') as isolation");
      expect(rows).toEqual([{ isolation: 'repeatable read' }]);
    },
    '-c default_transaction_isolation=repeatable\\ read',
  );
});

/** As behind a pooler that drops the settings of the session. */
const readCommitted = () => withOptions('-c default_transaction_isolation=read\\ committed');

test('each transaction sets its isolation where the isolation of the session does not arrive', async () => {
  const grantId = freshId();
  const record = freshRecord({ grantId });
  await withStore(readCommitted(), async (store) => {
    await store.commit([put(record)]);
    expect(await store.commit([revoke(grantId)])).toBeUndefined();
    expect(await store.read([record])).toEqual([undefined]);
  });
  await withStore(readCommitted(), (store) => store.ping());
});

test('a server that is read-only is unfit, and takes no commit', async () => {
  await withStore(withOptions('-c default_transaction_read_only=on'), async (store) => {
    await expect(store.ping()).rejects.toThrow(StoreUnfitError);
    await expect(store.commit([claim(freshRecord())])).rejects.toMatchObject({ code: '25006' });
    expect(await store.read([freshRecord()])).toEqual([undefined]);
  });
});

test('a server that answers before a commit is on its disk is unfit', async () => {
  await withStore(withOptions('-c synchronous_commit=off'), async (store) => {
    await expect(store.ping()).rejects.toThrow(StoreUnfitError);
    await expect(store.ping()).rejects.toThrow('synchronous_commit');
  });
});

test('a database that does not know every letter is unfit', async () => {
  const name = `carnet_latin_${freshId().slice(0, 8).replace(/\W/g, '_')}`.toLowerCase();
  await withClient(url, (client) => client.query(`create database ${name} encoding 'LATIN1' template template0`));
  const latin = url.replace(/\/[^/]*$/, `/${name}`);
  await withMigrator({ url: latin }, (migrator) => migrator.up());
  await withStore(latin, async (store) => {
    await expect(store.ping()).rejects.toThrow(StoreUnfitError);
    await expect(store.ping()).rejects.toThrow('UTF8');
  });
});

test('a standby is not read from: it may not have heard of the last commits', async () => {
  const primary = await startPostgres();
  try {
    const standby = await createStore(primary);
    const record = freshRecord({ kind: 'session', subject: freshId() });
    await withStore(standby, (store) => store.commit([put(record)]));
    const folder = await withClient(
      standby,
      async (client) => (await client.query('show data_directory')).rows[0].data_directory,
    );
    await primary.stop();
    writeFileSync(join(folder, 'standby.signal'), '');
    await primary.start();
    await withStore(standby, async (store) => {
      for (const key of [record, freshRecord()]) await expect(store.read([key])).rejects.toThrow(StoreUnfitError);
      const { subject = '' } = record;
      await expect(store.list({ kind: 'session', subject, limit: 1 })).rejects.toThrow('standby');
      await expect(store.list({ kind: 'client', limit: 1 })).rejects.toThrow('standby');
    });
  } finally {
    await primary.close();
  }
});

test('a database that is not there is named as such', async () => {
  const missing = url.replace(/\/[^/]*$/, '/carnet_missing');
  await withStore(missing, (store) => expect(store.ping()).rejects.toThrow('There is no such database'));
  await withMigrator({ url: missing }, (migrator) => expect(migrator.up()).rejects.toThrow(StoreUnfitError));
});

test('a user without rights is told of it, and one with those of the README can do all', async () => {
  const role = `carnet_test_${freshId().slice(0, 8).replace(/\W/g, '_')}`.toLowerCase();
  await withClient(url, (client) => client.query(`create role ${role} login`));
  const asRole = new URL(url);
  asRole.username = role;
  try {
    await withStore(asRole.href, async (store) => {
      await expect(store.read([freshRecord()])).rejects.toThrow(StoreUnfitError);
      await withClient(url, async (client) => {
        await client.query(`grant select on carnet_migration to ${role}`);
        await client.query(`grant select, insert on carnet_record to ${role}`);
      });
      await expect(store.ping()).rejects.toThrow('grant update, delete on carnet_record');
      await withClient(url, (client) => client.query(`grant update, delete on carnet_record to ${role}`));
      await store.ping();
      await store.commit([put(freshRecord()), claim(freshRecord()), revoke(freshId())]);
      await store.sweep(1);
    });
  } finally {
    await withClient(url, (client) => client.query(`drop owned by ${role}; drop role ${role}`));
  }
});

test('settings of the session do not change what dates are', async () => {
  const record = freshRecord({ expiresAt: new Date('2030-06-01T10:20:30.456Z') });
  await withStore(withOptions('-c datestyle=German -c timezone=Asia/Kathmandu'), async (store) => {
    await store.commit([put(record)]);
    expect((await store.read([record]))[0]?.expiresAt).toEqual(record.expiresAt);
  });
});

test('a record may expire after the year 9999', async () => {
  const records = ['+010000-01-01T00:00:00.000Z', '+275760-09-13T00:00:00.000Z'].map((expiresAt) =>
    freshRecord({ expiresAt: new Date(expiresAt) }),
  );
  await withStore(url, async (store) => {
    await store.commit(records.map(put));
    const found = await store.read(records);
    expect(found.map((record) => record?.expiresAt)).toEqual(records.map(({ expiresAt }) => expiresAt));
  });
});

test('expiry is held against the clock of the process', async () => {
  let now = Date.now();
  const store = openPostgresAdapter({ url, now: () => now });
  const record = freshRecord({ kind: 'session', subject: freshId() });
  await store.commit([put(record)]);
  const list = async () => (await store.list({ kind: 'session', subject: record.subject ?? '', limit: 1 })).records;
  expect([(await store.read([record])).length, (await list()).length]).toEqual([1, 1]);
  now = record.expiresAt?.getTime() ?? 0;
  expect(await store.read([record])).toEqual([undefined]);
  expect(await list()).toEqual([]);
  expect(await store.commit([claim(record)])).toBeUndefined();
  now += 1;
  expect((await store.sweep(1_000)).left).toBe(0);
  expect(
    (await withClient(url, (client) => client.query('select from carnet_record where id = $1', [record.id]))).rows,
  ).toEqual([]);
  await store.close();
});

test('a URL that can not be used is refused at once, and nothing of it is told', async () => {
  const secret = 'very-secret';
  const urls = [
    `mysql://carnet:${secret}@localhost/carnet`,
    `postgres://carnet:${secret}@localhost:port/carnet`,
    `postgres://carnet:${secret}@localhost/carnet?sslrootcert=/nowhere/${secret}.pem`,
    `postgres://carnet:p/${secret}@localhost/carnet`,
    `postgres://carnet:12/${secret}@localhost/carnet`,
    `postgres://carnet:p@${secret}/w#rd@localhost/carnet`,
    `postgres://carnet:p%x${secret}@localhost/carnet`,
    `postgres://carnet:${secret}@localhost/carnet?pool=0`,
    `postgres://carnet:${secret}@localhost/carnet?timeout=${secret}`,
    `postgres://carnet:${secret}@localhost/carnet?planner=${secret}`,
  ];
  for (const refused of urls) {
    const error = await openAdapter({ url: refused }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnfitError);
    expect(String(error) + String((error as Error).cause)).not.toContain(secret);
  }
});
