import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import { openAdapter as openSqlite } from '@carnet/adapter-sqlite';
import { openMigrators, openStores, type StorageConfig } from '@carnet/provider/storage';
import { openTestMariadb, openTestPostgres, startDatastore, startDynamoDb, startRedis } from '@carnet/test-servers';
import { closing } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { registerClient, type TestClient } from '../../provider/test/clients.ts';
import { type Instance, start } from '../../provider/test/harness.ts';
import { introspect, type Json, login, refresh } from '../../provider/test/login.ts';
import { scanPages } from '../src/records/scan-pages.ts';
import { putRecords } from '../src/records/write-records.ts';
import { spawnCarnet, temporaryFolder } from './start-program.ts';

/**
 * Grants, and the stores that they move through. To measure:
 * `COPY_GRANTS=100000 npm run test:slow -- packages/cli/test/store-copy.slow.test.ts -t mariadb`.
 */
const chains = [
  { grants: Number(process.env.COPY_GRANTS ?? 500), stores: ['postgres', 'mariadb', 'postgres'] },
  { grants: 100, stores: ['postgres', 'redis', 'datastore', 'dynamodb', 'sqlite', 'postgres'] },
];

/** The server checks none, but each request to DynamoDB is signed. */
const credentials = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hunter2' };
Object.assign(process.env, credentials);

/** Creates an empty store of each kind. */
const createStore: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  postgres: async () => (await closing(openTestPostgres())).createDatabase(),
  mariadb: async () => (await openTestMariadb()).createDatabase(),
  redis: async () => (await closing(startRedis())).url,
  datastore: async () => {
    const { host, projectId } = await closing(startDatastore());
    return `datastore:${projectId}?endpoint=${host}`;
  },
  dynamodb: async () => (await closing(startDynamoDb())).url('copied'),
  sqlite: async (folder) => `sqlite:${join(folder, 'carnet.db')}`,
};

const migrated = async (url: string): Promise<string> => {
  for (const migrator of (await openMigrators({ default: url } as StorageConfig)).values()) {
    await migrator.up();
    await migrator.close();
  }
  return url;
};

/** Runs `work` on an instance with the store. */
const withInstance = async <T>(url: string, work: (instance: Instance) => Promise<T>): Promise<T> => {
  const { stores, close } = await openStores({ default: url } as StorageConfig);
  const instance = await start({ adapter: stores.tokens });
  try {
    return await work(instance);
  } finally {
    await instance.stop();
    await close();
  }
};

interface SignedIn {
  readonly tokens: Json;
  readonly isRevoked: boolean;
}

/** Signs in, and uses or revokes the refresh tokens of some. */
const signIn = async (instance: Instance, client: TestClient, index: number): Promise<SignedIn> => {
  const tokens = await login(instance, client, { subject: `user-${index}`, login: { remember: index % 2 === 0 } });
  if (index % 5 === 1) await instance.carnet.tokens.revoke(String(tokens.refresh_token));
  if (index % 5 !== 2) return { tokens, isRevoked: index % 5 === 1 };
  return { tokens: (await refresh(instance, client, tokens.refresh_token)).body, isRevoked: false };
};

const fresh = (): string => randomBytes(32).toString('base64url');

/** Copies the records of all grants under new ids, until there are so many grants. */
const multiply = async (store: StorageAdapter, grants: number): Promise<void> => {
  const records: FoundRecord[] = [];
  for await (const page of scanPages(store)) records.push(...page.filter(({ grantId }) => grantId !== undefined));
  const own = new Set(records.filter(({ kind }) => kind === 'grant').map(({ grantId }) => grantId));
  for (let count = own.size; count < grants; count += own.size) {
    const grantIds = new Map([...own].map((grantId) => [grantId, fresh()]));
    const copies = records.flatMap((record) => {
      const grantId = grantIds.get(record.grantId);
      return grantId === undefined ? [] : [{ ...record, id: fresh(), grantId }];
    });
    for (let at = 0; at < copies.length; at += 500) await putRecords(store, copies.slice(at, at + 500));
  }
};

const peakMb = (pid: number | undefined): number => {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
};

/** Runs the command in a process of its own. */
const copy = async (from: string, to: string, ...args: readonly string[]) => {
  const startedAt = performance.now();
  const { child, exited, lines } = spawnCarnet(
    ['store', 'copy', '--from', from, '--to', to, '--format', 'json', ...args],
    { PATH: `${process.env.PATH}`, NODE_OPTIONS: process.env.COPY_NODE_OPTIONS ?? '', ...credentials },
    temporaryFolder(),
  );
  let mostMb = 0;
  const timer = setInterval(() => {
    mostMb = Math.max(mostMb, peakMb(child.pid));
  }, 50);
  const [exitCode] = await exited;
  clearInterval(timer);
  return { exitCode, lines, seconds: (performance.now() - startedAt) / 1_000, mostMb };
};

/** A copy to an empty store, which it is to equal. Prints the figures. */
const copyAll = async (from: string, to: string): Promise<void> => {
  const { exitCode, lines, seconds, mostMb } = await copy(from, to);
  expect({ exitCode, lines }).toMatchObject({ exitCode: 0 });
  const { copied, kinds } = JSON.parse(lines.at(-1) ?? '');
  const { target } = kinds.find(({ kind }: { readonly kind: string }) => kind === 'grant');
  const [source, name] = [from, to].map((url) => url.split(':', 1)[0]);
  process.stdout.write(
    `${source} to ${name}: ${target} grants, ${copied} records, ${seconds.toFixed(1)} s, ${mostMb} MB\n`,
  );
};

describe('carnet store copy', () => {
  test.for(chains)(
    '$grants grants move through $stores, and their tokens work or stay revoked',
    { timeout: 3_600_000 },
    async (chain) => {
      const [first = '', ...others] = chain.stores;
      // Grants of users who sign in; the others are copies of them under new ids.
      const logins = Math.ceil(chain.grants / 25);
      const folder = temporaryFolder();
      const open = async (name: string): Promise<string> => migrated((await createStore[name]?.(folder)) ?? '');
      let url = await open(first);
      const { client, users } = await withInstance(url, async (instance) => {
        const client = await registerClient(instance, 'shop');
        const users: SignedIn[] = [];
        for (let index = 0; index < logins; index++) users.push(await signIn(instance, client, index));
        await multiply(instance.adapter, chain.grants);
        return { client, users };
      });
      for (const name of others) {
        const target = await open(name);
        await copyAll(url, target);
        url = target;
      }
      await withInstance(url, async (instance) => {
        for (const { tokens, isRevoked } of users) {
          expect((await introspect(instance, tokens.access_token)).active).toBe(!isRevoked);
          expect((await refresh(instance, client, tokens.refresh_token)).status).toBe(isRevoked ? 400 : 200);
        }
      });
    },
  );
});

const countIn = async (url: string): Promise<number> => {
  const store = await openSqlite({ url });
  let count = 0;
  for await (const page of scanPages(store)) count += page.length;
  await store.close();
  return count;
};

test('a copy that is killed is continued without a missing or doubled record', async () => {
  const folder = temporaryFolder();
  const [from, to] = [`sqlite:${join(folder, 'from.db')}`, `sqlite:${join(folder, 'to.db')}`];
  const store = await openSqlite({ url: from });
  const records = Array.from({ length: 20_000 }, (_, index): FoundRecord => {
    const [id, grantId] = [fresh(), index % 4 === 0 ? undefined : fresh()];
    const consumedAt = index % 3 === 0 ? new Date(1e12 + index) : null;
    return { kind: 'refresh_token', id, grantId, payload: '{}', expiresAt: null, consumedAt, members: [] };
  });
  await putRecords(store, records);
  await store.close();

  const { child, exited } = spawnCarnet(['store', 'copy', '--from', from, '--to', to], {}, folder);
  while ((await countIn(to)) < 1_000) await delay(10);
  child.kill('SIGKILL');
  await exited;
  const before = await countIn(to);
  expect(before).toBeLessThan(records.length);

  expect((await copy(from, to)).exitCode).toBe(1);
  const { exitCode, lines } = await copy(from, to, '--again');
  expect(exitCode).toBe(0);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    copied: records.length - before,
    equal: true,
    kinds: [{ source: records.length, target: records.length }],
  });
});
