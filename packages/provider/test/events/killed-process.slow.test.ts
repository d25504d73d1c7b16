import { waitUntil } from '@carnet/test-servers';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { sendJson } from '../call.ts';
import { startProvider } from '../stores/provider-process.ts';
import { startServers, type TestStore, testStores } from '../stores/test-stores.ts';
import { startReceiver, webhookAt } from './webhook-receiver.ts';

beforeAll(startServers);

const deliveredByHeir = async (name: string, start: () => Promise<TestStore>): Promise<void> => {
  const { storage } = await start();
  const receiver = await startReceiver();
  // The process that sends waits for answers that never come.
  receiver.answerWith(() => undefined);
  const config = { events: { webhooks: [webhookAt(receiver)] } };
  const victim = await startProvider({ storage, config });
  for (let at = 0; at < 20; at++) {
    const { status } = await sendJson('POST', `${victim.admin}/admin/clients`, { client_id: `shop-${at}` });
    expect(status, name).toBe(201);
  }
  await receiver.until(1);
  const since = new Date(Date.now() - 60_000).toISOString();
  const listing = `${victim.admin}/admin/events?recent=true&since=${since}`;
  const recent = async () => (await sendJson('GET', listing)).body;
  await waitUntil(
    `20 stored events on ${name}`,
    async () => ((await recent()) as { events: unknown[] }).events.length === 20,
  );
  await victim.kill();
  receiver.answerWith(() => ({ status: 200 }));
  const before = receiver.received.length;
  const killedAt = Date.now();
  const heir = await startProvider({ storage, config });
  onTestFinished(heir.kill);
  const delivered = () => new Set(receiver.received.slice(before).map(({ event }) => event.data.request_id));
  await waitUntil(`20 events on ${name}`, async () => delivered().size === 20, { withinSeconds: 90 });
  // The lease of the killed process expires after 45 seconds.
  expect(Date.now() - killedAt, name).toBeLessThan(75_000);
  const ids = receiver.received.slice(before).map(({ event }) => event.id);
  expect(new Set(ids).size, name).toBe(ids.length);
};

// All at once, because each waits for the lease of its killed process.
it('events of a process that is killed before it delivers them are delivered by the next process, on every store', async () => {
  await Promise.all(Object.entries(testStores).map(([name, start]) => deliveredByHeir(name, start)));
}, 180_000);
