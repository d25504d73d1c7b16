import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, it, onTestFinished, vi } from 'vitest';
import { eventsSchema } from '../src/config.ts';
import { openEvents } from '../src/open-events.ts';
import type { EventStore, SendWebhook } from '../src/ports.ts';
import type { AuditRecord } from '../src/types/audit-events.ts';

const refusedToken: AuditRecord = { action: 'token', outcome: 'denied', reason: 'invalid_client' };
const refusedLogin: AuditRecord = { action: 'sign_in.password', outcome: 'denied', reason: 'wrong_password' };
const disabled = (subject: string): AuditRecord => ({ action: 'user.disable', outcome: 'success', subject });

const secret = `whsec_${'A'.repeat(43)}=`;

/** Events with a clock that the test moves, and a store that the test switches off. */
const open = (webhooks: readonly { name: string; types?: string[] }[] = []) => {
  let time = Date.parse('2026-11-26T08:00:00Z');
  let isDown = false;
  const now = () => time;
  const memory = openMemoryAdapter({ now });
  const unlessDown = <T>(call: () => Promise<T>): Promise<T> =>
    isDown ? Promise.reject(new Error('The store is down.')) : call();
  const store: EventStore = {
    read: (keys) => unlessDown(() => memory.read(keys)),
    commit: (writes) => unlessDown(() => memory.commit(writes)),
  };
  const warnings: object[] = [];
  const sent: string[] = [];
  const send: SendWebhook = async ({ url, body }) => {
    sent.push(`${new URL(url).pathname} ${(JSON.parse(body) as { type: string }).type}`);
    return { status: 200, headers: new Headers() };
  };
  const logger = { warn: (fields: object) => void warnings.push(fields), error: () => {} };
  const all = webhooks.map((webhook) => ({ url: `https://crm.example.com/${webhook.name}`, secret, ...webhook }));
  const config = eventsSchema.parse({ webhooks: all });
  if (config === undefined) throw new Error('The section is given.');
  const events = openEvents(config, { store, send, logger, now, errorOf: (_code, message) => new Error(message) });
  return {
    events,
    warnings,
    sent,
    pass(ms: number): void {
      time += ms;
    },
    switchStore(isOn: boolean): void {
      isDown = !isOn;
    },
    record(count: number, record: AuditRecord): void {
      for (let at = 0; at < count; at++) events.record(record);
    },
    /** The number of stored events by type. Nothing is stored afterwards. */
    async stored(): Promise<Readonly<Record<string, number>>> {
      await events.close();
      time += 60_000;
      const counts: Record<string, number> = {};
      for (let after: string | undefined; ; ) {
        const page = await events.list({ after, limit: 500 });
        for (const { type } of page.events) counts[type] = (counts[type] ?? 0) + 1;
        if (!page.hasMore) return counts;
        after = page.next;
      }
    },
  };
};

it('a flood of refused requests fills the store no further than its limits, and takes no place of other refusals', async () => {
  const { record, pass, stored, warnings } = open();
  record(5_000, refusedToken);
  record(3, refusedLogin);
  record(1, disabled('ada'));
  pass(10_000);
  record(5_000, refusedToken);
  expect(await stored()).toEqual({ 'token.refused': 220, 'sign_in.refused': 3, 'user.disabled': 1 });
  expect(warnings).toEqual([{ notKept: { 'token.refused': 9_780 } }]);
});

it('refused requests of many types have one limit together', async () => {
  const { record, stored } = open();
  const actions = [
    'token',
    'revocation',
    'sign_in.password',
    'device.user_code',
    'flow.resume',
    'client.document',
    'login',
  ];
  for (const action of actions) record(1_000, { action, outcome: 'denied' });
  const counts = Object.values(await stored());
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_000);
});

it('the log has one line in ten seconds about refused requests whose events are not kept', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { record, warnings, switchStore } = open();
  switchStore(false);
  const lines = () => warnings.filter((fields) => 'notKept' in fields);
  record(300, refusedToken);
  record(201, refusedLogin);
  expect(lines()).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines()).toEqual([{ notKept: { 'token.refused': 100, 'sign_in.refused': 1 } }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines()).toHaveLength(1);
  record(7, refusedToken);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines()[1]).toEqual({ notKept: { 'token.refused': 7 } });
});

it('while the store does not answer, refused requests take no place of 10,000 other events', async () => {
  const { record, pass, stored, switchStore } = open();
  switchStore(false);
  for (let at = 0; at < 10; at++) {
    record(1_000, refusedToken);
    record(1_000, refusedLogin);
    pass(100_000);
  }
  record(10_000, disabled('ada'));
  switchStore(true);
  expect(await stored()).toEqual({ 'token.refused': 600, 'sign_in.refused': 400, 'user.disabled': 10_000 });
});

it('a webhook gets refused requests only if its types are given', async () => {
  const { events, record, sent } = open([{ name: 'crm' }, { name: 'siem', types: ['*'] }]);
  expect((await events.webhooks.list()).map(({ types }) => types)).toEqual([undefined, ['*']]);
  for (const action of ['token', 'login', 'revocation', 'device.user_code', 'key.create'])
    record(1, { action, outcome: 'denied' });
  record(1, disabled('ada'));
  await vi.waitFor(() => expect(sent).toHaveLength(7), { timeout: 10_000 });
  await events.close();
  expect(sent.filter((each) => each.startsWith('/crm'))).toEqual(['/crm user.disabled']);
  expect(sent.filter((each) => each.startsWith('/siem'))).toHaveLength(6);
});
