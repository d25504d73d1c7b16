import { openAdapter } from '@carnet/adapter-postgres';
import type { Carnet } from '@carnet/provider';
import { openTestPostgres, type TestPostgres } from '@carnet/test-servers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromStoredRecord, toStoredRecord } from '../../../provider/src/clients/client-record.ts';
import { startConsole } from '../start-console.ts';

const count = 10_000;
const rounds = 100;

let server: TestPostgres;
let sql: pg.Client;
let carnet: Carnet;
let get: (path: string) => Promise<Response>;

const idOf = (index: number): string => `client-${String(index).padStart(5, '0')}`;

/** Registers one client, and stores copies of it. */
const fill = async (): Promise<void> => {
  const { client_id: id } = await carnet.clients.create({ client_id: 'model', redirect_uris: ['https://a.test/cb'] });
  const { rows } = await sql.query(`select id, payload from carnet_record where kind = 'client'`);
  const model = fromStoredRecord(rows[0]);
  const adapter = await openAdapter({ url: server.url });
  for (let start = 0; start < count; start += 500) {
    const records = Array.from({ length: 500 }, (_, place) => {
      const name = `Shop ${start + place} of ${(start + place) % 7 ? 'Berlin' : 'Lisbon'}`;
      const redirects = { redirect_uris: [`https://shop-${start + place}.example.com/cb`] };
      const metadata = { ...model.metadata, client_id: idOf(start + place), client_name: name, ...redirects };
      return toStoredRecord({ ...model, id: metadata.client_id, metadata });
    });
    await adapter.commit(records.map((record) => ({ type: 'claim', record }) as const));
  }
  await adapter.close();
  await carnet.clients.delete(id);
  await sql.query('vacuum analyze carnet_record');
};

/** How often the table of records was read as a whole, and by an index. */
const scans = async (): Promise<{ readonly whole: number; readonly byIndex: number }> => {
  const { rows } = await sql.query(
    `select seq_scan::int as whole, idx_scan::int as "byIndex" from pg_stat_user_tables where relname = 'carnet_record'`,
  );
  return rows[0];
};

beforeAll(async () => {
  server = await openTestPostgres();
  const started = await startConsole({ storage: { default: server.url } });
  carnet = started.carnet;
  get = started.get;
  sql = new pg.Client({ connectionString: server.url });
  await sql.connect();
  await fill();
});
afterAll(async () => {
  await carnet?.close();
  await sql?.end();
  await server?.close();
});

/** Sends each of the requests, and returns the 95th percentile in milliseconds. */
const p95Of = async (paths: readonly string[]): Promise<number> => {
  const times: number[] = [];
  for (const path of paths) {
    const start = performance.now();
    const response = await get(path);
    await response.text();
    times.push(performance.now() - start);
    expect(response.status).toBe(200);
  }
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0);
};

const every = (path: (index: number) => string): readonly string[] =>
  Array.from({ length: rounds }, (_, round) => path((round * 97) % count));

/** The cursors of the list, by walking a part of it. */
const walk = async (pages: number): Promise<readonly string[]> => {
  const paths: string[] = [];
  for (let path: string | undefined = '/clients'; path !== undefined && paths.length < pages; ) {
    paths.push(path);
    const text: string = await (await get(path)).text();
    path = /rel="next" href="\/console([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return paths;
};

test('lists and searches of 10,000 clients read by an index alone', async () => {
  const start = performance.now();
  await get('/clients?q=anything');
  const firstMs = Math.round(performance.now() - start);
  const before = await scans();
  const figures = {
    list: await p95Of(await walk(rounds)),
    byId: await p95Of(every((index) => `/clients?q=${idOf(index)}`)),
    byName: await p95Of(every((index) => `/clients?q=shop+${index}+lisbon`)),
    byHost: await p95Of(every((index) => `/clients?q=shop-${index}.example.com`)),
    manyMatches: await p95Of(every((index) => `/clients?q=lisbon&after=${idOf(index)}`)),
    page: await p95Of(every((index) => `/clients/${idOf(index)}`)),
  };
  // Shown, not asserted: the machine of the tests may be busy.
  process.stdout.write(`p95 in ms: ${JSON.stringify({ ...figures, firstSearch: firstMs })}\n`);
  await expect.poll(async () => (await scans()).byIndex).toBeGreaterThan(before.byIndex + 4 * rounds);
  expect((await scans()).whole).toBe(before.whole);
});

test('a list takes one statement, however many clients it shows', async () => {
  const calls: string[] = [];
  const list = carnet.clients.list;
  const clients = {
    ...carnet.clients,
    list: (query: Parameters<typeof list>[0]) => {
      calls.push('list');
      return list(query);
    },
    get: (id: string) => {
      calls.push('get');
      return carnet.clients.get(id);
    },
  };
  const counted = await startConsole({}, undefined, { carnet: { ...carnet, clients } });
  await counted.get('/clients');
  expect(calls).toEqual(['list']);
  calls.length = 0;
  await counted.get('/clients?q=lisbon');
  const first = calls.length;
  calls.length = 0;
  await counted.get('/clients?q=berlin');
  expect(calls).toEqual(['get']);
  expect(first).toBe(count / 500 + 1);
});
