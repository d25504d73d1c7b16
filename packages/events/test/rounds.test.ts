import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, it } from 'vitest';
import { createGatherer } from '../src/store/gather-events.ts';
import { eventOf } from '../src/types/audit-events.ts';
import { commandRetry } from '../src/webhooks/commands.ts';
import { createPending } from '../src/webhooks/pending-events.ts';
import { createRounds } from '../src/webhooks/rounds.ts';
import type { AttemptResult } from '../src/webhooks/send-event.ts';
import { newState, type WebhookState } from '../src/webhooks/state.ts';

const day = 86_400_000;

/** A webhook whose rounds the test starts, with a clock that the test moves. */
const open = async (answer: (id: string) => AttemptResult) => {
  let time = Date.now();
  const now = () => time;
  const store = openMemoryAdapter({ now });
  const sent: string[] = [];
  const webhook = { name: 'crm', url: 'https://crm.example.com', secret: '', types: ['*'] };
  const round = createRounds({
    ...{ webhook, store, now, logger: { warn: () => {} } },
    pending: createPending({ store, now, types: ['*'] }),
    sendEvent: async ({ id }) => {
      sent.push(id);
      return answer(id);
    },
  });
  let state: WebhookState = { ...newState(time), holder: 'test' };
  return {
    sent,
    store,
    state: () => state,
    now,
    pass(ms: number): void {
      time += ms;
    },
    /** Stores so many events. */
    async record(count: number): Promise<void> {
      const gatherer = createGatherer({
        store,
        now,
        retention: 30 * 86_400,
        logger: { warn: () => {} },
        onStored: () => {},
      });
      for (let at = 0; at < count; at++) {
        const event = eventOf({ action: 'user.create', outcome: 'success', subject: `user-${at}` }, time);
        if (event !== undefined) gatherer.add(event);
      }
      await gatherer.close();
    },
    /** Rounds until there is nothing to do now. */
    async run(): Promise<void> {
      for (let waitMs = 0; waitMs === 0; ) {
        const done = await round(state);
        // What is stored is what the next process has.
        state = JSON.parse(JSON.stringify(done.state)) as WebhookState;
        ({ waitMs } = done);
      }
    },
  };
};

const failed: AttemptResult = { status: 'failed', reason: 'http_500' };
const delivered: AttemptResult = { status: 'delivered' };

it('an event is tried ten times in about three days, and is then in the list of failed events', async () => {
  const { record, run, pass, sent, state, now } = await open(() => failed);
  await record(1);
  const startedAt = now();
  let lastAt = 0;
  for (let hours = 0; hours < 100; hours++) {
    const before = sent.length;
    await run();
    if (sent.length > before) lastAt = now();
    pass(3_600_000);
  }
  expect(sent).toHaveLength(10);
  expect((lastAt - startedAt) / day).toBeCloseTo(3.3, 0);
  expect(state().failed).toMatchObject([{ id: sent[0], attempts: 10, reason: 'http_500' }]);
  expect(state().retries).toEqual([]);
});

it('failed events are sent again on command of an administrator', async () => {
  let answer = failed;
  const { record, run, pass, sent, state, store, now } = await open(() => answer);
  await record(1);
  for (let hours = 0; hours < 100; hours++) {
    await run();
    pass(3_600_000);
  }
  answer = delivered;
  await commandRetry(store, 'crm', now());
  await run();
  expect(sent).toHaveLength(11);
  expect(state()).toMatchObject({ failed: [], retries: [] });
});

it('one event that is refused delays no other', async () => {
  const { record, run, sent, state } = await open((id) => (id.endsWith('_3') ? failed : delivered));
  await record(50);
  await run();
  expect(sent).toHaveLength(50);
  expect(state().retries).toHaveLength(1);
});

it('while a webhook does not answer, 10,000 events wait in the store: its state stays small, and it gets one a minute', async () => {
  let answer = failed;
  const { record, run, pass, sent, state } = await open(() => answer);
  for (let at = 0; at < 10; at++) {
    await record(1_000);
    await run();
    pass(1_000);
  }
  expect(state().retries.length).toBeLessThan(120);
  expect(JSON.stringify(state()).length).toBeLessThan(20_000);
  const before = sent.length;
  for (let minutes = 0; minutes < 4; minutes++) {
    pass(61_000);
    await run();
  }
  expect(sent.length - before).toBeLessThan(4 + 2 * 120);
  answer = delivered;
  pass(61_000);
  await run();
  expect(new Set(sent).size).toBe(10_000);
  expect(state()).toMatchObject({ retries: [], failed: [] });
});

it('a process that resumes with the stored state sends no delivered event again', async () => {
  const { record, run, pass, sent, state } = await open(() => delivered);
  await record(300);
  await run();
  pass(120_000);
  await record(300);
  await run();
  pass(day);
  await run();
  expect(sent).toHaveLength(600);
  expect(new Set(sent).size).toBe(600);
  expect(state().done).toEqual([]);
});

it('an event that has expired before its next attempt is in the list of failed events', async () => {
  const { record, run, pass, state } = await open(() => failed);
  await record(1);
  await run();
  pass(31 * day);
  await run();
  expect(state().failed).toMatchObject([{ reason: 'expired' }]);
});
