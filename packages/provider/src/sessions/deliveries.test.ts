import { setTimeout as delay } from 'node:timers/promises';
import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, test } from 'vitest';
import { createDeliveries, type DeliveryDependencies } from './deliveries.ts';
import { deliveryRecord } from './delivery-record.ts';
import { endSession } from './end-session.ts';
import { sessionKey, sessionRecord } from './session-record.ts';

type Process = Pick<DeliveryDependencies, 'adapter' | 'sign' | 'onSessionEnd'>;

/** A process that notifies clients. `send` gets each logout token. */
const openProcess = (process: Process, send: (token: string) => void | Promise<void>) =>
  createDeliveries({
    ...process,
    clients: { find: async (id) => ({ id, metadata: { backchannel_logout_uri: 'https://app.test/' } }) as never },
    outbound: {
      async send({ body = '' }) {
        await send(new URLSearchParams(body).get('logout_token') ?? '');
        return { status: 200, headers: new Headers(), body: '' };
      },
    },
    retries: [60],
    pollSeconds: 60,
    timeoutMs: 60_000,
    logger: { info: () => {}, warn: () => {}, error: () => {} } as never,
    audit: () => {},
    now: Date.now,
  });

test('of processes that find the same deliveries due at once, exactly one makes each attempt', async () => {
  const [processes, count] = [3, 20];
  const memory = openMemoryAdapter();
  const now = Date.now();
  const sids = Array.from({ length: count }, (_, index) => `session ${index}`);
  const pending = { type: 'backchannel_logout', subject: 'alice', attempt: 0, dueAt: now - 1, endedAt: now } as const;
  await memory.commit(
    sids.map((sid) => ({ type: 'put', record: deliveryRecord({ ...pending, sid, clientId: `client of ${sid}` }) })),
  );
  // Nobody goes on before all have seen the same.
  const { promise: allHaveListed, resolve } = Promise.withResolvers<void>();
  const { promise: allAreDone, resolve: done } = Promise.withResolvers<void>();
  let listed = 0;
  let commits = 0;
  const sent: string[] = [];
  const adapter: StorageAdapter = {
    ...memory,
    async list(query) {
      const page = await memory.list(query);
      if (++listed === processes) resolve();
      await allHaveListed;
      return page;
    },
    async commit(writes) {
      const conflict = await memory.commit(writes);
      // Each tries to take each delivery, and whoever has told it removes what would have come next.
      if (++commits >= count * (processes + 1)) done();
      return conflict;
    },
  };
  const each = Array.from({ length: processes }, () =>
    openProcess({ adapter, sign: async (_client, { sid }) => sid }, (token) => void sent.push(token)),
  );
  await Promise.all(each.map((deliveries) => deliveries.poll()));
  await allAreDone;
  expect(sent.toSorted()).toEqual(sids.toSorted());
  for (const deliveries of each) deliveries.stop();
});

const count = 1_050;
/** More than this the store does not carry out in time. */
const mostWrites = 250;
const clientIds = Array.from({ length: count }, (_, index) => `client ${index}`);

const openStore = async () => {
  const memory = openMemoryAdapter();
  const sid = 'a-session';
  const login = { subject: 'alice', authTime: 1, remember: true };
  const endsAt = Math.floor(Date.now() / 1_000) + 3_600;
  await memory.commit([
    { type: 'claim', record: sessionRecord({ sid, login, endsAt, place: {} }) },
    { type: 'merge', key: sessionKey(sid), members: clientIds },
  ]);
  const [record] = await memory.read([sessionKey(sid)]);
  if (record === undefined) throw new Error('no session');
  const { ended, writes } = endSession({ ...record, members: [] }, Date.now());
  await memory.commit(writes);
  return { memory, ended };
};

/** A process that tells clients, until it dies with so many commits. */
const startProcess = (memory: StorageAdapter, commitsLeft = Number.POSITIVE_INFINITY) => {
  const told: string[] = [];
  let [left, atOnce, most, ends] = [commitsLeft, 0, 0, 0];
  const adapter: StorageAdapter = {
    ...memory,
    async commit(writes) {
      if (writes.length > mostWrites || left-- <= 0) throw new Error('the store did not answer in time');
      return memory.commit(writes);
    },
  };
  const deliveries = openProcess(
    { adapter, sign: async ({ id }) => id, onSessionEnd: () => void ends++ },
    async (id) => {
      most = Math.max(most, ++atOnce);
      await delay(5);
      atOnce--;
      told.push(id);
    },
  );
  return { deliveries, told, most: () => most, ends: () => ends };
};

const untilTold = async (...lists: readonly (readonly string[])[]): Promise<void> => {
  while (lists.flat().length < count) await delay(5);
};

test('a session of more clients than a commit may hold ends for all of them, not all at once', async () => {
  const { memory, ended } = await openStore();
  const { deliveries, told, most, ends } = startProcess(memory);
  deliveries.announce(ended);
  await untilTold(told);
  expect(told.toSorted()).toEqual(clientIds.toSorted());
  expect(most()).toBeLessThanOrEqual(256);
  expect(ends()).toBe(1);
  deliveries.stop();
});

test('what a process that died in the middle has left, another goes on with: each client is notified once', async () => {
  const { memory, ended } = await openStore();
  const first = startProcess(memory, 6);
  first.deliveries.announce(ended);
  while (first.told.length < 300) await delay(5);
  first.deliveries.stop();
  const [rest] = (await memory.list({ kind: 'delivery', limit: 500 })).records.filter(({ payload }) =>
    payload.includes('session_ended'),
  );
  if (rest === undefined) throw new Error('nothing is left');
  const second = startProcess(memory);
  second.deliveries.announce({ ...JSON.parse(rest.payload), subject: rest.subject ?? '' });
  await untilTold(first.told, second.told);
  expect([...first.told, ...second.told].toSorted()).toEqual(clientIds.toSorted());
  expect([first.ends(), second.ends()]).toEqual([1, 0]);
  second.deliveries.stop();
});
