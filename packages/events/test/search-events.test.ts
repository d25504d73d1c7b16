import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, it } from 'vitest';
import { createGatherer } from '../src/store/gather-events.ts';
import { createSearch, type EventSearch } from '../src/store/search-events.ts';
import { type AuditRecord, eventOf } from '../src/types/audit-events.ts';

const retention = 30 * 86_400;
const minute = 60_000;

const open = () => {
  let time = Date.parse('2026-11-26T08:00:00Z');
  const now = () => time;
  const store = openMemoryAdapter({ now });
  const counted = { reads: 0 };
  const read: typeof store.read = (keys) => {
    counted.reads++;
    return store.read(keys);
  };
  const errorOf = (code: string, message: string) => Object.assign(new Error(message), { code });
  const search = createSearch({ store: { read }, now, retention, errorOf });
  return {
    ...{ search, now, counted },
    pass(ms: number): void {
      time += ms;
    },
    async record(records: readonly Partial<AuditRecord>[]) {
      const gatherer = createGatherer({ store, retention, logger: { warn: () => {} }, onStored: () => {}, now });
      for (const each of records) {
        const event = eventOf({ action: 'token', outcome: 'success', ...each }, time);
        if (event !== undefined) gatherer.add(event);
      }
      await gatherer.close();
    },
    /** The request ids of all pages, and how many pages there were. */
    async walk(asked: EventSearch) {
      const found: (string | undefined)[] = [];
      for (let after: string | undefined, pages = 1; ; pages++) {
        const page = await search({ ...asked, after });
        found.push(...page.events.map(({ data }) => data.request_id));
        after = page.next;
        if (after === undefined) return { found, pages };
      }
    },
  };
};

const requests = (prefix: string, count: number, members: Partial<AuditRecord> = {}) =>
  Array.from({ length: count }, (_, at) => ({ requestId: `${prefix}-${at}`, ...members }));

const ids = (prefix: string, count: number) => requests(prefix, count).map(({ requestId }) => requestId);

it('pages have each event once, newest first', async () => {
  const { record, walk, pass } = open();
  await record(requests('old', 450));
  pass(3 * 60 * minute);
  await record(requests('new', 3));
  const all = [...ids('old', 450), ...ids('new', 3)].reverse();
  for (const limit of [7, 200, 453, 500]) expect((await walk({ limit })).found).toEqual(all);
});

it('an event is found by user, client, request, type and time', async () => {
  const { record, walk, pass, now } = open();
  await record(requests('a', 2, { subject: 'ada', clientId: 'shop' }));
  pass(10 * minute);
  const between = new Date(now() - minute);
  await record(requests('b', 2, { subject: 'bob', clientId: 'shop', outcome: 'denied', reason: 'invalid_grant' }));
  const found = async (asked: EventSearch) => (await walk(asked)).found;
  expect(await found({ subject: 'ada' })).toEqual(['a-1', 'a-0']);
  expect(await found({ clientId: 'shop' })).toEqual(['b-1', 'b-0', 'a-1', 'a-0']);
  expect(await found({ clientId: 'shop', subject: 'bob' })).toEqual(['b-1', 'b-0']);
  expect(await found({ requestId: 'a-1' })).toEqual(['a-1']);
  expect(await found({ types: ['token.refused'] })).toEqual(['b-1', 'b-0']);
  expect(await found({ since: between })).toEqual(['b-1', 'b-0']);
  expect(await found({ until: between })).toEqual(['a-1', 'a-0']);
  expect(await found({ requestId: 'unknown' })).toEqual([]);
});

it('an event is found by its id with one read', async () => {
  const { record, search, counted } = open();
  await record(requests('a', 3));
  const [newest] = (await search({ limit: 1 })).events;
  counted.reads = 0;
  expect((await search({ id: newest?.id })).events).toEqual([newest]);
  expect(counted.reads).toBe(1);
  expect((await search({ id: newest?.id.replace(/\d+$/, '999') })).events).toEqual([]);
});

it('a search over 30 days takes a bounded number of reads a page, and resumes', async () => {
  const { record, walk, search, pass, counted } = open();
  await record(requests('first', 1));
  pass(29 * 24 * 60 * minute);
  counted.reads = 0;
  const page = await search({ requestId: 'first-0' });
  expect(page.events).toEqual([]);
  expect(page.next).toBeDefined();
  expect(counted.reads).toBeLessThan(10);
  const { found, pages } = await walk({ requestId: 'first-0' });
  expect(found).toEqual(['first-0']);
  expect(pages).toBeLessThan(40);
});

it.each([{ after: 'x' }, { id: 'evt_x' }, { types: ['nothing.known'] }])(
  'an invalid query is refused: %j',
  async (asked) => {
    const { search } = open();
    await expect(search(asked)).rejects.toMatchObject({ code: 'invalid_request' });
  },
);
