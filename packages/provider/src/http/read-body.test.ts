import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readBody } from './read-body.ts';

/** What `readBody` rejects with, for a client that hangs up in the middle of its body. */
const problemAfter = async (hungUp: (request: IncomingMessage) => Promise<void>): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const server = createServer(async (request) => {
    request.once('error', () => undefined);
    request.once('data', () => socket.destroy());
    await hungUp(request);
    readBody(request, 1000).then(resolve, resolve);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
  const problem = await promise;
  server.close();
  return problem;
};

describe('readBody', () => {
  it('rejects when the client hangs up in the middle of the body', async () => {
    expect(await problemAfter(async () => {})).toMatchObject({ code: 'invalid_request' });
  });

  it('rejects when the client has hung up before', async () => {
    const hungUp = (request: IncomingMessage) => new Promise<void>((resolve) => request.once('close', () => resolve()));
    expect(await problemAfter(hungUp)).toMatchObject({ code: 'invalid_request' });
  });

  it.each([undefined, 'text'])('reads a body after the server has ended empty ones: %j', async (body) => {
    const bytes = Promise.withResolvers<Buffer>();
    const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
      readBody(request, 1000).then(bytes.resolve, bytes.reject);
      response.end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const headers = body === undefined ? {} : { 'content-length': body.length };
    request({ port, host: '127.0.0.1', method: 'DELETE', headers, agent: false }).end(body);
    expect(String(await bytes.promise)).toBe(body ?? '');
    server.close();
  });
});
