import { setTimeout as delay } from 'node:timers/promises';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { waitUntil } from '@carnet/test-servers';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createProvider } from '../../src/create-provider.ts';
import { startInTest } from '../before-tests.ts';
import { sendJson } from '../call.ts';
import { registerClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { login } from '../login.ts';
import { openRemote } from '../remote.ts';
import { startReceiver, webhookAt, webhookSecret } from './webhook-receiver.ts';

/** An event. */
const createClient = ({ carnet }: Pick<Instance, 'carnet'>, client_id: string) => carnet.clients.create({ client_id });

const otherSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

it('a login is sent as events with a signature that another implementation verifies', async () => {
  const receiver = await startReceiver();
  const instance = await startInTest({ config: { events: { webhooks: [webhookAt(receiver)] } } });
  const client = await registerClient(instance, 'shop');
  await login(instance, client);
  const received = await receiver.until(2);
  expect(receiver.types()).toEqual(['login.succeeded', 'token.issued']);
  for (const { body, headers, event } of received) {
    expect(new Webhook(webhookSecret).verify(body, headers as Record<string, string>)).toEqual(event);
    expect(() => new Webhook(otherSecret).verify(body, headers as Record<string, string>)).toThrow();
    expect(headers['webhook-id']).toBe(event.id);
  }
  expect(received[0]?.event.data).toEqual({ outcome: 'success', subject: 'alice', client_id: client.id });
  expect(instance.log()).not.toContain('tenant=a');
});

it('while a secret is replaced, receivers with the new and with the old secret verify each event', async () => {
  const receiver = await startReceiver();
  const webhook = webhookAt(receiver, { secret: `${otherSecret},${webhookSecret}` });
  const instance = await startInTest({ config: { events: { webhooks: [webhook] } } });
  await createClient(instance, 'shop');
  const [first] = await receiver.until(1);
  expect(String(first?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  for (const secret of [webhookSecret, otherSecret])
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).toEqual(
      first?.event,
    );
});

it('a webhook gets the types that it wants, and a slow one delays no other', async () => {
  const [slow, quick] = [await startReceiver(), await startReceiver()];
  slow.answerWith(() => undefined);
  const webhooks = [
    webhookAt(slow, { name: 'slow' }),
    webhookAt(quick, { name: 'quick', types: ['login.*', 'client.created'] }),
  ];
  const instance = await startInTest({ config: { events: { webhooks } } });
  await createClient(instance, 'shop');
  await login(instance, await registerClient(instance, 'crm'));
  await quick.until(2);
  expect(quick.types()).toEqual(['client.created', 'login.succeeded']);
});

it('a webhook that answers 500 is tried again with the same id, body and another signature', async () => {
  const receiver = await startReceiver();
  receiver.answerWith(() => ({ status: receiver.received.length === 1 ? 500 : 200 }));
  const instance = await startInTest({ config: { events: { webhooks: [webhookAt(receiver)] } } });
  await createClient(instance, 'shop');
  const [first, second] = await receiver.until(2);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
    Number(first?.headers['webhook-timestamp']) + 5,
  );
  expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
  expect(instance.log()).toContain('http_500');
});

it('a redirect is a failure, and is never followed', async () => {
  const [receiver, internal] = [await startReceiver(), await openRemote()];
  receiver.answerWith(() => ({ status: 307, headers: { location: `${internal.origin}/internal` } }));
  const instance = await startInTest({ config: { events: { webhooks: [webhookAt(receiver)] } } });
  await createClient(instance, 'shop');
  await waitUntil('failure', async () => instance.log().includes('http_307'));
  expect(internal.seen).toEqual([]);
  await internal.close();
});

it('a webhook at an address that is not public gets no request', async () => {
  const receiver = await startReceiver();
  const { carnet } = await startInTest({ config: { events: { webhooks: [webhookAt(receiver)] } } });
  expect(await carnet.events?.webhooks.test('crm')).toEqual({ status: 'delivered' });
  const elsewhere = webhookAt({ url: 'https://10.1.2.3/events' });
  const other = await startInTest({ config: { events: { webhooks: [elsewhere] } } });
  expect(await other.carnet.events?.webhooks.test('crm')).toEqual({ status: 'failed', reason: 'private_address' });
});

it('a webhook with an http URL elsewhere is refused at the start, with its name', async () => {
  const webhooks = [webhookAt({ url: 'http://crm.example/events' })];
  await expect(createProvider({ events: { webhooks } })).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.stringMatching(/^events\.webhooks: webhook crm: its url must be https/)]),
  });
});

it('a webhook that answers 410 is switched off until an administrator has its events sent again', async () => {
  const receiver = await startReceiver();
  receiver.answerWith(() => ({ status: 410 }));
  const instance = await startInTest({ config: { events: { webhooks: [webhookAt(receiver)] } } });
  const statusOf = async () => (await instance.carnet.events?.webhooks.list())?.[0]?.state;
  await createClient(instance, 'shop');
  await waitUntil('webhook that is off', async () => (await statusOf()) === 'gone');
  receiver.answerWith(() => ({ status: 200 }));
  await createClient(instance, 'crm');
  const recent = async () =>
    (await instance.carnet.events?.list({ recent: true, since: new Date(Date.now() - 60_000) }))?.events;
  await waitUntil('two stored events', async () => (await recent())?.length === 2);
  // Events are sent within two seconds.
  await delay(2_500);
  expect(receiver.received).toHaveLength(1);
  expect((await sendJson('POST', `${instance.admin}/admin/webhooks/crm/retry`, {})).status).toBe(204);
  await waitUntil('webhook that is on', async () => (await statusOf()) === 'active');
  await receiver.until(2);
});

it('a webhook that answers 429 gets no request until the time of Retry-After', async () => {
  const receiver = await startReceiver();
  receiver.answerWith(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
  const instance = await startInTest({ config: { events: { webhooks: [webhookAt(receiver)] } } });
  await createClient(instance, 'shop');
  const list = async () => (await sendJson('GET', `${instance.admin}/admin/webhooks`)).body;
  await waitUntil('pause', async () => JSON.stringify(await list()).includes('"paused"'));
  await createClient(instance, 'crm');
  await delay(2_500);
  expect(receiver.received).toHaveLength(1);
  expect(await list()).toMatchObject([{ name: 'crm', state: 'paused', retries: 1, failed: 0 }]);
});

it('two processes that share a store send each event once', async () => {
  const receiver = await startReceiver();
  const adapter = openMemoryAdapter();
  const config = { events: { webhooks: [webhookAt(receiver)] } };
  const [one, other] = [await startInTest({ adapter, config }), await startInTest({ adapter, config })];
  await Promise.all([one, other].map((instance, at) => createClient(instance, `client-${at}`)));
  await receiver.until(2);
  for (let at = 0; at < 10; at++) await createClient(at % 2 === 0 ? one : other, `more-${at}`);
  await receiver.until(12);
  await delay(2_500);
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(12);
  expect(receiver.received).toHaveLength(12);
});

it('a webhook that starts to answer gets the events that were stored meanwhile, from the next process, too', async () => {
  const receiver = await startReceiver();
  const adapter = openMemoryAdapter();
  const config = { events: { webhooks: [webhookAt(receiver)] } };
  const one = await startInTest({ adapter, config });
  await createClient(one, 'shop');
  await receiver.until(1);
  receiver.answerWith(() => undefined);
  await createClient(one, 'crm');
  await receiver.until(2);
  await one.carnet.close();
  receiver.answerWith(() => ({ status: 200 }));
  await startInTest({ adapter, config });
  await receiver.until(3);
  expect(receiver.received[2]?.event).toEqual(receiver.received[1]?.event);
});
