import type { StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPostgresAdapter } from '../src/index.ts';
import { countStatements, startCountingPostgres } from './count.ts';
import {
  claim,
  consume,
  createStore,
  freshId,
  freshRecord,
  loginWrites,
  put,
  revoke,
  terminate,
  untilWaiting,
  whileLocked,
} from './store.ts';

const server = beforeTests(startCountingPostgres);
let url: string;
let store: StorageAdapter;

beforeAll(async () => {
  url = await createStore(server);
});
// Of its own for each test: what a store was refused makes it careful for a while.
beforeEach(() => {
  store = openPostgresAdapter({ url });
});
afterEach(() => store.close());

const count = (work: () => Promise<unknown>) => countStatements(server.url, url, work);

const times = <T>(amount: number, make: (index: number) => T): T[] => Array.from({ length: amount }, (_, n) => make(n));

const putAll = async (records: readonly StoredRecord[]): Promise<void> => {
  await store.commit(records.map(put));
};

/** The first commit of an idle store goes by itself: those after it are the ones that meet. */
const commitTogether = (...records: readonly StoredRecord[]) => {
  const first = store.commit([claim(freshRecord())]);
  return records.map(async (record) => {
    const [conflict] = await Promise.all([store.commit([consume(record)]), first]);
    return conflict;
  });
};

test('of two hundred reads at once the first is a statement, and all others are one', async () => {
  expect(await count(() => Promise.all(times(200, () => store.read([freshRecord()]))))).toBe(2);
});

test('a hundred commits without conditions share one statement', async () => {
  const putOne = () => store.commit([put(freshRecord({ kind: 'client_credentials' }))]);
  expect(await count(() => Promise.all(times(100, putOne)))).toBe(2);
});

test('sixteen logins share a statement, and no more than sixteen', async () => {
  const logins = times(1 + 3 * 16, () => loginWrites().writes);
  expect(await count(() => Promise.all(logins.map((writes) => store.commit(writes))))).toBe(4);
});

test('what would be too much for one statement is several', async () => {
  const large = () => store.commit([put(freshRecord({ payload: `"${'x'.repeat(100_000)}"` }))]);
  expect(await count(() => Promise.all(times(5, large)))).toBe(3);
  const long = () => store.commit(times(100, () => put(freshRecord())));
  expect(await count(() => Promise.all(times(3, long)))).toBe(3);
});

test('a code that is redeemed again costs those beside it one statement each, and those after it nothing', async () => {
  const { writes } = loginWrites();
  await store.commit(writes);
  const commitAll = () =>
    Promise.all([...times(16, () => loginWrites().writes), writes].map((each) => store.commit(each)));
  // The first; sixteen together; each of them alone; and the one that finds the name of the conflict.
  expect(await count(commitAll)).toBeLessThanOrEqual(1 + 1 + 16 + 1);
  const logins = () => Promise.all(times(17, () => store.commit(loginWrites().writes)));
  // One, then two together, then three: each statement that goes well allows one more.
  for (let most = 1; most < 16; most++) await logins();
  expect(await count(logins)).toBe(2);
});

test('a conflict is no matter for what has no condition', async () => {
  const record = freshRecord();
  await store.commit([claim(record)]);
  const free = times(50, () => freshRecord({ kind: 'client_credentials' }));
  const calls = () => Promise.all([...free.map(put), claim(record)].map((write) => store.commit([write])));
  expect(await count(calls)).toBeLessThanOrEqual(3);
});

test('commits of one grant are carried out in the order in which they are made', async () => {
  const grants = times(20, () => {
    const grantId = freshId();
    return { grantId, early: freshRecord({ grantId }), late: freshRecord({ grantId }) };
  });
  await Promise.all(
    grants.flatMap(({ grantId, early, late }) => [
      store.commit([put(early)]),
      store.commit([revoke(grantId)]),
      store.commit([put(late)]),
    ]),
  );
  const found = await store.read(grants.flatMap(({ early, late }) => [early, late]));
  expect(found.map((each) => each?.id)).toEqual(grants.flatMap(({ late }) => [undefined, late.id]));
});

test('what the server refuses to store is refused by itself', async () => {
  const records = times(10, () => freshRecord({ kind: 'grant', subject: 'someone' }));
  const odd = new Map([
    [3, freshRecord({ kind: 'grant', subject: 'nul \u0000' })],
    [7, freshRecord({ kind: 'grant', expiresAt: new Date(Number.NaN) })],
  ]);
  const all = records.map((record, index) => odd.get(index) ?? record);
  const outcomes = await Promise.allSettled(all.map((record) => store.commit([put(record)])));
  expect(outcomes.map(({ status }) => status)).toEqual(
    all.map((_, index) => (odd.has(index) ? 'rejected' : 'fulfilled')),
  );
  const found = await store.read(records);
  expect(found.map((each) => each !== undefined)).toEqual(all.map((_, index) => !odd.has(index)));
});

test('a commit that waits for a lock holds up only those it shares its statement with', async () => {
  const [locked, beside, after] = [freshRecord(), freshRecord(), freshRecord()];
  await putAll([locked, beside, after]);
  await whileLocked(url, locked.id, async (client) => {
    const together = Promise.all(commitTogether(locked, beside));
    await untilWaiting(url);
    expect(await store.commit([consume(after)])).toBeUndefined();
    expect((await store.read([after, beside])).map((found) => found?.consumedAt !== null)).toEqual([true, false]);
    await client.query('rollback');
    expect(await together).toEqual([undefined, undefined]);
  });
});

test('commits that ran into another transaction together are carried out one by one', async () => {
  const [contended, beside] = [freshRecord(), freshRecord()];
  await putAll([contended, beside]);
  await whileLocked(url, contended.id, async (client) => {
    const together = Promise.all(commitTogether(contended, beside));
    await untilWaiting(url);
    await client.query('update carnet_record set consumed_at = now() where id = $1', [contended.id]);
    await client.query('commit');
    expect(await together).toEqual([
      { write: expect.objectContaining({ type: 'consume' }), reason: 'consumed' },
      undefined,
    ]);
  });
});

test('commits whose session ends under them report an unknown outcome, and none is repeated', async () => {
  const [locked, beside] = [freshRecord(), freshRecord()];
  await putAll([locked, beside]);
  await whileLocked(url, locked.id, async () => {
    const together = Promise.allSettled(commitTogether(locked, beside));
    await untilWaiting(url);
    await terminate(url, 'waiting');
    expect((await together).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
  expect((await store.read([locked, beside])).map((found) => found?.consumedAt)).toEqual([null, null]);
});

test('what was asked before the store is closed is answered', async () => {
  const closing = openPostgresAdapter({ url: `${url}?pool=1` });
  const records = times(60, () => freshRecord());
  const commits = Promise.all(records.map((record) => closing.commit([claim(record)])));
  await closing.close();
  expect(await commits).toEqual(records.map(() => undefined));
  await expect(closing.read(records)).rejects.toThrow('closed');
});
