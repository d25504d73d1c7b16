import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, it } from 'vitest';
import type { EventStore } from '../src/ports.ts';
import { createGatherer } from '../src/store/gather-events.ts';
import { createList } from '../src/store/list-events.ts';
import { eventOf } from '../src/types/audit-events.ts';

const retention = 30 * 86_400;

const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code });

const open = () => {
  let time = Date.parse('2026-11-26T08:00:00Z');
  const now = () => time;
  const store = openMemoryAdapter({ now });
  const list = createList({ store, now, retention, errorOf });
  return {
    store,
    now,
    list,
    pass(ms: number): void {
      time += ms;
    },
    /** Stores events of another process, whose clock differs. */
    async record(subjects: readonly string[], { clockMs = 0, action = 'user.create', of = store as EventStore } = {}) {
      const gatherer = createGatherer({
        ...{ store: of, retention, logger: { warn: () => {} }, onStored: () => {} },
        now: () => time + clockMs,
      });
      for (const subject of subjects) {
        const event = eventOf({ action, outcome: 'success', subject }, time);
        if (event !== undefined) gatherer.add(event);
      }
      await gatherer.close();
    },
    /** The subjects of all pages from a place, and where to resume. */
    async walk(after: string | undefined, limit = 100, recent = false) {
      const found: (string | undefined)[] = [];
      for (let next = after; ; ) {
        const page = await list({ after: next, limit, recent });
        found.push(...page.events.map(({ data }) => data.subject));
        next = page.next;
        if (!page.hasMore) return { found, next };
      }
    },
  };
};

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

it('pages have each event once, in order, and the cursor resumes after them', async () => {
  const { record, walk, pass } = open();
  const first = names('a', 450);
  await record(first);
  pass(60_000);
  const one = await walk(undefined, 7);
  expect(one.found).toEqual(first);
  expect((await walk(one.next)).found).toEqual([]);
  pass(3 * 3_600_000);
  await record(['later']);
  pass(60_000);
  expect((await walk(one.next)).found).toEqual(['later']);
});

it('no event is missed or returned twice, though the clock of a process is late', async () => {
  const { record, walk, pass } = open();
  const seen: (string | undefined)[] = [];
  let next: string | undefined;
  for (let at = 0; at < 30; at++) {
    await record([`on-time-${at}`]);
    await record([`late-${at}`], { clockMs: -25_000 });
    await record([`early-${at}`], { clockMs: 25_000 });
    const page = await walk(next, 2);
    seen.push(...page.found);
    ({ next } = page);
    pass(7_000);
  }
  pass(120_000);
  seen.push(...(await walk(next)).found);
  expect(seen).toHaveLength(90);
  expect(new Set(seen).size).toBe(90);
});

it('events of the last 40 seconds are listed on request, and once more later', async () => {
  const { record, walk, list, pass, now } = open();
  await record(['old']);
  pass(60_000);
  await record(['new']);
  const recent = await walk(undefined, 1, true);
  expect(recent.found).toEqual(['old', 'new']);
  expect((await list({ since: new Date(now() - 70_000) })).events.map(({ data }) => data.subject)).toEqual(['old']);
  pass(60_000);
  expect((await walk(recent.next)).found).toEqual(['new']);
});

it('a walk through recent events that takes long resumes before an event that was stored late', async () => {
  const { record, walk, list, pass, now } = open();
  await record(['a', 'b']);
  const since = new Date(now() - 60_000);
  const first = await list({ limit: 1, recent: true, since });
  expect(first).toMatchObject({ hasMore: true, events: [{ data: { subject: 'a' } }] });
  await record(['late'], { clockMs: -25_000 });
  pass(60_000);
  const { next } = await walk(first.next, 1, true);
  pass(60_000);
  expect((await walk(next)).found).toContain('late');
});

it('a list has the types that are wanted, and refuses unknown types and cursors', async () => {
  const { record, list, pass, now } = open();
  await record(['a'], { action: 'user.create' });
  pass(1);
  await record(['b'], { action: 'user.disable' });
  pass(1);
  await record(['c'], { action: 'account.password' });
  pass(60_000);
  const since = new Date(now() - 120_000);
  const typesOf = async (types: string[]) => (await list({ since, types })).events.map(({ type }) => type);
  expect(await typesOf(['user.*'])).toEqual(['user.created', 'user.disabled']);
  expect(await typesOf(['credential.changed'])).toEqual(['credential.changed']);
  await expect(list({ types: ['user.unknown'] })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(list({ after: 'evt_1_1' })).rejects.toMatchObject({ code: 'invalid_request' });
});

it('events are absent when their retention is over', async () => {
  const { record, walk, pass } = open();
  await record(['old']);
  pass(retention * 1_000 + 120_000);
  await record(['new']);
  pass(60_000);
  expect((await walk(undefined)).found).toEqual(['new']);
});

it('while the store does not answer, 10,000 events wait, and are stored when it answers again', async () => {
  const { store, walk, pass, now } = open();
  let isDown = true;
  const failing: EventStore = {
    read: (keys) => (isDown ? Promise.reject(new Error('down')) : store.read(keys)),
    commit: (writes) => (isDown ? Promise.reject(new Error('down')) : store.commit(writes)),
  };
  const warnings: object[] = [];
  const gatherer = createGatherer({
    ...{ store: failing, retention, now, onStored: () => {} },
    logger: { warn: (fields) => void warnings.push(fields) },
  });
  for (const subject of names('u', 10_050)) {
    const event = eventOf({ action: 'user.create', outcome: 'success', subject }, now());
    if (event !== undefined) gatherer.add(event);
  }
  isDown = false;
  await gatherer.close();
  pass(60_000);
  expect((await walk(undefined, 500)).found).toEqual(names('u', 10_000));
  expect(warnings).toEqual([{ lost: 50 }]);
});
