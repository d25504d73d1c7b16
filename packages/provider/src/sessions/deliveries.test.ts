import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, test } from 'vitest';
import { createDeliveries } from './deliveries.ts';
import { deliveryRecord } from './delivery-record.ts';

const processes = 3;
const count = 20;

test('of processes that find the same deliveries due at once, exactly one makes each attempt', async () => {
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
  const quiet = { info: () => {}, warn: () => {}, error: () => {} } as never;
  const each = Array.from({ length: processes }, () =>
    createDeliveries({
      adapter: {
        ...memory,
        list: async (query) => {
          const page = await memory.list(query);
          if (++listed === processes) resolve();
          await allHaveListed;
          return page;
        },
        commit: async (writes) => {
          const conflict = await memory.commit(writes);
          // Each tries to take each delivery, and whoever has told it removes what would have come next.
          if (++commits >= count * (processes + 1)) done();
          return conflict;
        },
      },
      clients: { find: async (id) => ({ id, metadata: { backchannel_logout_uri: 'https://app.test/' } }) as never },
      outbound: {
        send: async ({ body = '' }) => {
          sent.push(body);
          return { status: 200, headers: new Headers(), body: '' };
        },
      },
      sign: async (_client, { sid }) => sid,
      retries: [60],
      pollSeconds: 60,
      timeoutMs: 5_000,
      logger: quiet,
      audit: () => {},
      now: Date.now,
    }),
  );
  await allAreDone;
  expect(sent.toSorted()).toEqual(sids.map((sid) => `${new URLSearchParams({ logout_token: sid })}`).toSorted());
  for (const deliveries of each) deliveries.stop();
});
