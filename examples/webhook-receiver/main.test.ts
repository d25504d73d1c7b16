import { expect, onTestFinished, test } from 'vitest';
import { startInTest } from '../../packages/provider/test/before-tests.ts';
import { listen } from '../../test/servers/src/listen.ts';
import { waitUntil } from '../../test/servers/src/wait-until.ts';
import { createReceiver } from './src/receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

/** A provider with this webhook, and the types of the events that the receiver accepted. */
const start = async (own: { readonly secret: string }) => {
  const types: string[] = [];
  const receiver = createReceiver({
    secret: own.secret,
    handle: async ({ type }) => {
      types.push(type);
      if (types.length === 1) throw new Error('Try again.');
    },
  });
  const { origin, close } = await listen(receiver);
  onTestFinished(close);
  const config = { events: { webhooks: [{ name: 'app', url: origin, secret }] } };
  const { carnet } = await startInTest({ config });
  return { types, carnet };
};

test('the receiver handles an event that Carnet has signed, and gets it again if it fails', async () => {
  const { types, carnet } = await start({ secret });
  await carnet.clients.create({ client_id: 'shop' });
  await waitUntil('second attempt', async () => types.length === 2);
  expect(types).toEqual(['client.created', 'client.created']);
});

test('the receiver refuses an event that was signed with another secret', async () => {
  const { types, carnet } = await start({ secret: `whsec_${Buffer.alloc(32, 4).toString('base64')}` });
  expect(await carnet.events?.webhooks.test('app')).toEqual({ status: 'failed', reason: 'http_401' });
  expect(types).toEqual([]);
});
