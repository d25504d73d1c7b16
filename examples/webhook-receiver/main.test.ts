import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { main, spawnNode, startProgram } from '../../packages/cli/test/start-program.ts';
import { startInTest } from '../../packages/provider/test/before-tests.ts';
import { findFreePort } from '../../test/servers/src/free-port.ts';
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

const here = new URL('.', import.meta.url);

/** Runs what `npm start` runs, until the test has finished. */
const startReceiver = async (port: string) => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', here), 'utf8'));
  const [, ...args] = scripts.start.split(' ');
  const receiver = spawnNode(args, { PORT: port, WEBHOOK_SECRET: secret }, fileURLToPath(here));
  onTestFinished(() => void receiver.child.kill('SIGKILL'));
  await receiver.line('Receives events at');
  return receiver;
};

test('`npm start` prints the events of `carnet serve --dev` with the configuration of the guide', async () => {
  const port = `${await findFreePort()}`;
  const receiver = await startReceiver(port);
  const serving = startProgram(main, ['serve', '--dev', '--config', fileURLToPath(new URL('carnet.yaml', here))], {
    PORT: '0',
    ADMIN_PORT: '0',
    EVENTS_WEBHOOK_APP_SECRET: secret,
    EVENTS_WEBHOOK_APP_URL: `http://127.0.0.1:${port}`,
  });
  const { adminUrl } = JSON.parse(await serving.line('"msg":"ready"'));
  const run = async (...args: string[]): Promise<string> => {
    const { lines, exited } = startProgram(main, args, { CARNET_ADMIN_URL: adminUrl });
    await exited;
    return lines.join('\n');
  };
  expect(await run('webhooks', 'test', 'app')).toContain('delivered');
  await receiver.line('webhook.test');
  await run('create', 'client', '--name', 'shop');
  await receiver.line('client.created');
});
