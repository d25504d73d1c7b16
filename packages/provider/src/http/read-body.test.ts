import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { readBody } from './read-body.ts';

describe('readBody', () => {
  it('rejects when the client hangs up in the middle of the body', async () => {
    let settle = (_problem: unknown) => {};
    const problem = new Promise((resolve) => {
      settle = resolve;
    });
    const server = createServer((request) => {
      readBody(request, 1000).then(settle, settle);
      request.once('data', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    expect(await problem).toMatchObject({ code: 'invalid_request' });
    server.close();
  });
});
