import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Respond } from './public-handler.ts';
import { exchange } from './web-handler.ts';

const url = 'https://id.example/path?query';
type Handle = (message: IncomingMessage, respond: Respond) => void;

const answered = (handle: Handle, init?: RequestInit, address?: string): Promise<Response> =>
  exchange(
    (message, _hostHeaders, respond) => {
      handle(message, respond);
      return true;
    },
    new Request(url, init),
    address,
  );

const text = (body: string) => ({ status: 200, headers: {}, text: body });

describe('the request that an endpoint gets', () => {
  it('has the method, the target, the headers and the address', async () => {
    const response = await answered(
      ({ method, url: target, headers, rawHeaders, socket }, respond) =>
        respond(text(JSON.stringify([method, target, headers, rawHeaders, socket.remoteAddress]))),
      { method: 'PUT', headers: { 'X-Own': 'a', Connection: 'close' } },
      '192.0.2.1',
    );
    expect(await response.json()).toEqual([
      'PUT',
      '/path?query',
      { 'x-own': 'a', host: 'id.example' },
      ['host', 'id.example', 'x-own', 'a'],
      '192.0.2.1',
    ]);
  });

  it('reads no further than the endpoint', async () => {
    let pulled = 0;
    let cancel: (() => void) | undefined;
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const body = new ReadableStream({
      pull: (stream) => {
        pulled++;
        stream.enqueue(Buffer.alloc(65_536));
      },
      cancel: () => cancel?.(),
    });
    const handle: Handle = (message, respond) => void message.once('data', () => message.pause() && respond(text('')));
    await answered(handle, { method: 'POST', body, ...{ duplex: 'half' } });
    expect(pulled).toBeLessThan(10);
    await cancelled;
  });

  it('has a body that is cancelled if the endpoint reads none of it', async () => {
    const cancelled = Promise.withResolvers<void>();
    const body = new ReadableStream({ cancel: () => cancelled.resolve() });
    await answered((_message, respond) => respond(text('')), { method: 'POST', body, ...{ duplex: 'half' } });
    await cancelled.promise;
  });
});

describe('a request whose Content-Length is wrong', () => {
  const reading: Handle = (message, respond) => void message.on('end', () => respond(text('read'))).resume();

  it.each(['2', '4', 'x'])('the request is refused: %s for 3 bytes', async (length) => {
    const init = { method: 'POST', body: 'abc', headers: { 'Content-Length': length } };
    await expect(answered(reading, init)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('the request is refused without a body', async () => {
    const init = { method: 'POST', headers: { 'Content-Length': '3' } };
    await expect(answered(reading, init)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each<Record<string, string>>([{ 'Content-Length': '3' }, {}])('the request is read with %o', async (headers) => {
    expect(await (await answered(reading, { method: 'POST', body: 'abc', headers })).text()).toBe('read');
  });
});

describe('the response', () => {
  it('has each cookie in a header of its own', async () => {
    const headers = { 'Set-Cookie': ['a=1', 'b=2'], Vary: 'Origin', 'Content-Type': 'text/plain', 'Content-Length': 2 };
    const response = await answered((_message, respond) => respond({ ...text('{}'), headers }));
    expect([...response.headers]).toEqual([
      ['content-length', '2'],
      ['content-type', 'text/plain'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['vary', 'Origin'],
    ]);
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('%s with status %i has no body', async (method, status) => {
    const body = method === 'HEAD' ? 'abc' : undefined;
    const response = await answered((_message, respond) => respond({ status, headers: {}, text: body }), { method });
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('a path that no endpoint has is answered with 404', async () => {
    expect((await exchange(() => false, new Request(url))).status).toBe(404);
  });
});
