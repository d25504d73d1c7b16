import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startProxy, type TestProxy } from '../src/index.ts';
import { isSilent } from './silence.ts';

/** Answers each chunk with itself, and counts them. */
let echo: Server;
let heard: number;
let proxy: TestProxy;
const clients: Socket[] = [];

const connected = async (): Promise<Socket> => {
  const client = connect(proxy.port, '127.0.0.1');
  client.on('error', () => {});
  clients.push(client);
  await once(client, 'connect');
  return client;
};

/** However it came about; `once` of node:events would reject on a reset. */
const closeOf = (client: Socket) => new Promise((resolve) => client.once('close', resolve));

const ask = async (client: Socket, question: string): Promise<string> => {
  client.write(question);
  const [answer] = await once(client, 'data');
  return `${answer}`;
};

beforeEach(async () => {
  heard = 0;
  echo = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard += 1;
      socket.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startProxy({ port: (echo.address() as AddressInfo).port });
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.close();
  await once(echo.close(), 'close');
});

test('passes on what is said, and counts who is connected', async () => {
  const [one, other] = [await connected(), await connected()];
  expect(await Promise.all([ask(one, 'one'), ask(other, 'other')])).toEqual(['one', 'other']);
  expect(proxy.connections()).toBe(2);
});

test('silent: open and new connections hear nothing and the server neither; passing again resets them', async () => {
  const open = await connected();
  expect(await ask(open, 'before')).toBe('before');
  await proxy.set('silent');
  const late = await connected();
  expect(await Promise.all([isSilent(ask(open, 'lost')), isSilent(ask(late, 'lost'))])).toEqual([true, true]);
  expect(heard).toBe(1);
  const untouched = await connected();
  const reset = Promise.all([closeOf(open), closeOf(late)]);
  await proxy.set('pass');
  await reset;
  expect(await ask(untouched, 'after')).toBe('after');
});

test('refuse: open connections are reset and new ones refused, until it passes again', async () => {
  const open = await connected();
  await ask(open, 'before');
  const closed = closeOf(open);
  await proxy.set('refuse');
  await closed;
  expect(proxy.connections()).toBe(0);
  await expect(once(connect(proxy.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  await proxy.set('pass');
  expect(await ask(await connected(), 'after')).toBe('after');
});

test('delayed: the server hears at once and its answer comes later, in order', async () => {
  const client = await connected();
  await proxy.set({ delayMs: 500 });
  const answer = ask(client, 'one');
  expect(await isSilent(answer)).toBe(true);
  expect(heard).toBe(1);
  await proxy.set('pass');
  client.write('two');
  expect(await answer).toMatch(/^one/);
});

test('delayed, then refused: the server has heard, and its answer is lost', async () => {
  const client = await connected();
  await proxy.set({ delayMs: 60_000 });
  const closed = closeOf(client);
  const answers: unknown[] = [];
  client.on('data', (chunk) => answers.push(chunk));
  client.write('one');
  await expect.poll(() => heard).toBe(1);
  await proxy.set('refuse');
  await closed;
  expect(answers).toEqual([]);
});
