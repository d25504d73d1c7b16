import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { punctual, sendUntilRefused } from '../../test/send-until-refused.ts';
import { type Listener, type ListenOptions, listen } from './listener.ts';

const listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close(0)));
});

const start = async (options: Partial<ListenOptions> = {}): Promise<Listener> => {
  const handler: ListenOptions['handler'] = (_request, response) => response.end('fine');
  const listener = await listen({ handler, host: '127.0.0.1', port: 0, ...options });
  listeners.push(listener);
  return listener;
};

const open = (listener: Listener): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(listener.address.port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

/** Of this process: the clients' and the server's. */
const countSockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** All that arrives until the other side closes. */
const readAll = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(text));
  });

const fetchVia = (agent: Agent, listener: Listener, path = '/'): Promise<IncomingMessage & { text: string }> =>
  new Promise((resolve, reject) => {
    get(`${listener.url}${path}`, { agent }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve(Object.assign(response, { text }));
    }).on('error', reject);
  });

describe('listen', () => {
  it('names the port that is in use and what to do', async () => {
    const first = await start();
    const second = listen({ handler: () => undefined, host: '127.0.0.1', port: first.address.port });
    await expect(second).rejects.toThrow(`Port ${first.address.port} on 127.0.0.1 is already in use. Stop`);
  });

  it('writes IPv6 addresses into its url as they have to be', async () => {
    const listener = await start({ host: '::1' });
    expect(listener.url).toBe(`http://[::1]:${listener.address.port}`);
    expect(await (await fetch(listener.url)).text()).toBe('fine');
  });

  it.each([
    ['headers over 16 KB', `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a request with two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ])('answers %s and goes on', async (_name, text, status) => {
    const listener = await start();
    const socket = await open(listener);
    const answer = readAll(socket);
    socket.write(text);
    expect(await answer).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*no-store[\\s\\S]*"error":"invalid_request"`),
    );
    expect(await (await fetch(listener.url)).text()).toBe('fine');
  });

  it('answers 408 when the headers do not arrive in time', async () => {
    const listener = await start({ headersTimeoutSeconds: 0.05, requestTimeoutSeconds: 0.1 });
    const socket = await open(listener);
    socket.write('GET / HTTP/1.1\r\nHost:');
    expect(await readAll(socket)).toContain('HTTP/1.1 408');
  });

  it.each([
    ['half a header', 'GET / HTTP/1.1\r\nHost:', ''],
    ['a header that arrives byte by byte', 'GET / HTTP/1.1\r\nHost: ', 'x'],
    ['no byte', '', ''],
    ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', ''],
    ['what is no HTTP', 'hello\r\n\r\n', ''],
    ['bytes that never end', 'hello\r\n\r\n', 'hello\r\n\r\n'],
  ])('closes the connection of a client that sent %s and never closes its own side', async (_name, text, more) => {
    const handler: ListenOptions['handler'] = async (request, response) => {
      for await (const _chunk of request);
      response.end('fine');
    };
    const listener = await start({
      handler,
      onError: () => {},
      headersTimeoutSeconds: 0.05,
      requestTimeoutSeconds: 0.1,
    });
    const before = countSockets();
    const socket = connect({ port: listener.address.port, host: '127.0.0.1', allowHalfOpen: true });
    const timer = setInterval(() => socket.write(more), 20);
    socket.on('error', () => undefined);
    socket.write(text);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 40[08] /);
    // The client's own socket is left.
    await expect.poll(countSockets).toBeLessThanOrEqual(before + 1);
    clearInterval(timer);
    socket.destroy();
  });

  it('does not carry out a request whose rest arrives after its 408', async () => {
    let count = 0;
    const handler: ListenOptions['handler'] = (_request, response) => {
      count += 1;
      response.end('fine');
    };
    const listener = await start({ handler, headersTimeoutSeconds: 0.05, requestTimeoutSeconds: 0.1 });
    const socket = connect({ port: listener.address.port, host: '127.0.0.1', allowHalfOpen: true });
    const closed = readAll(socket);
    let timer: NodeJS.Timeout | undefined;
    socket.once('data', () => {
      timer = setInterval(() => socket.write(' x\r\n\r\n'), 20);
    });
    socket.write('GET / HTTP/1.1\r\nHost:');
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(timer);
    expect(count).toBe(0);
  });

  it('answers 500 when the handler fails, and tells onError', async () => {
    const errors: unknown[] = [];
    const bug = new Error('bug');
    const listener = await start({ handler: () => Promise.reject(bug), onError: (error) => errors.push(error) });
    const response = await fetch(listener.url);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([500, 'server_error']);
    expect(errors).toEqual([bug]);
  });

  it('breaks the connection when the handler fails in the middle of its response', async () => {
    const handler: ListenOptions['handler'] = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('half');
      throw new Error('bug');
    };
    const listener = await start({ handler });
    await expect(fetch(listener.url).then((response) => response.text())).rejects.toThrow();
  });
});

it('ends the body of a request without one at once, where the handler allows it', async () => {
  const ended: boolean[] = [];
  const handler: ListenOptions['handler'] = (request, response) => {
    ended.push(request.readableEnded);
    response.end('fine');
  };
  const [usual, fast] = [await start({ handler }), await start({ handler, endsEmptyBodies: true })];
  for (const { url } of [usual, fast]) await fetch(url);
  await fetch(fast.url, { method: 'POST', body: 'text' });
  expect(ended).toEqual([false, true, false]);
});

describe('close', () => {
  it('closes idle connections after a second of silence, those that never sent a byte too, and refuses new ones', async () => {
    const listener = await start();
    const agent = new Agent({ keepAlive: true });
    await fetchVia(agent, listener);
    const silent = await open(listener);
    const closed = readAll(silent);
    await listener.close(600);
    expect(await closed).toBe('');
    await expect(fetch(listener.url)).rejects.toThrow();
    agent.destroy();
  });

  it('for a second answers what is sent with Connection: close, on idle connections and on new ones', async () => {
    const listener = await start();
    const [idle, used] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    await fetchVia(used, listener);
    const closed = listener.close(600);
    for (const agent of [idle, used]) {
      const { headers, text } = await fetchVia(agent, listener);
      expect([headers.connection, text]).toEqual(['close', 'fine']);
      agent.destroy();
    }
    await closed;
  });

  it('answers a request that has begun to arrive, and one whose client connected a moment ago', async () => {
    const listener = await start({ announceSeconds: 3 });
    const begun = await open(listener);
    begun.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const answers = [readAll(begun)];
    const closed = listener.close(600);
    await delay(1_800);
    const late = await open(listener);
    answers.push(readAll(late));
    await delay(1_600);
    late.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    begun.write('\r\n');
    for (const answer of answers) expect(await answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close/);
    await closed;
  });

  it('resets none of 60 clients that send a request every 0, 50 or 300 ms', async () => {
    const announceSeconds = 3;
    const codesOf = async (pauseMs: number) => {
      const listener = await start({ announceSeconds, handler: async (_request, response) => response.end('fine') });
      const outcomes = Array.from({ length: 60 }, () => sendUntilRefused(listener.url, pauseMs));
      await delay(200);
      await listener.close(30);
      return punctual(await Promise.all(outcomes), announceSeconds).map(({ code }) => code);
    };
    for (const codes of await Promise.all([0, 50, 300].map(codesOf))) {
      expect(codes.length).toBeGreaterThan(30);
      expect(new Set(codes)).toEqual(new Set(['ECONNREFUSED']));
    }
  });

  it('lets running requests end, with Connection: close', async () => {
    const [running, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const handler: ListenOptions['handler'] = async (_request, response) => {
      running.resolve();
      await finished.promise;
      response.end('done');
    };
    const listener = await start({ handler });
    const agent = new Agent({ keepAlive: true });
    const answer = fetchVia(agent, listener);
    await running.promise;
    const closed = listener.close(600);
    finished.resolve();
    const { headers, text } = await answer;
    expect([headers.connection, text]).toEqual(['close', 'done']);
    await closed;
    agent.destroy();
  });

  it('ends a connection whose response had begun before, after that response', async () => {
    let finish = () => {};
    const handler: ListenOptions['handler'] = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 8 }).write('half');
      finish = () => response.end('half');
    };
    const listener = await start({ handler });
    const socket = await open(listener);
    const firstHalf = new Promise((resolve) => socket.once('data', resolve));
    const answer = readAll(socket);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await firstHalf;
    const closed = listener.close(600);
    finish();
    expect(await answer).toContain('halfhalf');
    await closed;
  });

  it('cuts off what still runs after the grace', async () => {
    const running = Promise.withResolvers<void>();
    const listener = await start({ handler: () => running.resolve() });
    const answer = fetch(listener.url);
    const refused = expect(answer).rejects.toThrow();
    await running.promise;
    await listener.close(0.05);
    await refused;
  });

  it('may be called twice', async () => {
    const listener = await start();
    await Promise.all([listener.close(1), listener.close(1)]);
    await listener.close(1);
  });
});
