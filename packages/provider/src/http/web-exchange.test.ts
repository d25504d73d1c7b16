import { describe, expect, it } from 'vitest';
import type { ConnectHandler } from './public-handler.ts';
import { exchange } from './web-exchange.ts';

const url = 'https://id.example/path?query';
const answered = (handler: ConnectHandler, init?: RequestInit) => exchange(handler, new Request(url, init));

describe('the request that a handler gets', () => {
  it('has the method, the target, the headers and the address', async () => {
    const request = new Request(url, { method: 'PUT', headers: { 'X-Own': 'a', Connection: 'close' } });
    const response = await exchange(
      ({ method, url: target, headers, rawHeaders, socket }, res) =>
        void res.end(JSON.stringify([method, target, headers, rawHeaders, socket.remoteAddress])),
      request,
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

  it('reads no further than the handler', async () => {
    let pulled = 0;
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (stream) => {
        pulled++;
        stream.enqueue(Buffer.alloc(65_536));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    const handler: ConnectHandler = (req, res) => void req.once('data', () => req.pause() && res.end());
    await answered(handler, { method: 'POST', body, ...{ duplex: 'half' } });
    expect(pulled).toBeLessThan(10);
    expect(isCancelled).toBe(true);
  });
});

describe('a request whose Content-Length is wrong', () => {
  const reading: ConnectHandler = (req, res) => void req.on('end', () => res.end('read')).resume();

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

describe('the response of a handler', () => {
  it('has each cookie in a header of its own, and no header of the connection', async () => {
    const response = await answered((_req, res) => {
      res.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2; Expires=Sun, 22 Nov 2026 00:00:00 GMT']);
      res.writeHead(303, { Location: 'https://app.example/?a=b:c', 'X-Latin': 'caf\u00e9' }).end();
    });
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Expires=Sun, 22 Nov 2026 00:00:00 GMT']);
    expect([...response.headers.keys()]).toEqual(['location', 'set-cookie', 'set-cookie', 'x-latin']);
    expect([response.status, response.headers.get('location')]).toEqual([303, 'https://app.example/?a=b:c']);
    expect(response.headers.get('x-latin')).toBe('caf\u00e9');
  });

  it('may be written in parts, without a length', async () => {
    const response = await answered((_req, res) => {
      res.write('one, ');
      setImmediate(() => res.end(Buffer.from('tw\u00f6')));
    });
    expect(await response.text()).toBe('one, tw\u00f6');
  });

  it.each([
    ['HEAD', 200, '3'],
    ['GET', 204, null],
    ['GET', 304, null],
  ])('%s with status %i has no body', async (method, status, length) => {
    const headers = length === null ? {} : { 'Content-Length': length };
    const response = await answered((_req, res) => void res.writeHead(status, headers).end('abc'), { method });
    expect([response.status, response.body, response.headers.get('content-length')]).toEqual([status, null, length]);
  });

  it('a connection that is closed before the end of the response is an error', async () => {
    const broken = answered((_req, res) => {
      res.write('half');
      res.destroy();
    });
    await expect(broken).rejects.toMatchObject({ code: 'server_error' });
  });
});
