import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { openHttpPool } from './http-pool.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const open = async (listener: RequestListener, connections: number) => {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = openHttpPool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections);
  closing.push(() => {
    pool.close();
    server.closeAllConnections();
    server.close();
  });
  return { pool, server };
};

const get = { method: 'GET', path: '/a?b' } as const;

describe('a pool of HTTP connections', () => {
  it('sends method, path, fields and body, and returns status, location, cookies and body', async () => {
    const { pool } = await open(async (request, response) => {
      response.setHeader('Set-Cookie', ['one=1; Path=/', 'two=2']);
      response.writeHead(302, { location: 'http://elsewhere/?c=d' });
      response.end(`${request.method} ${request.url} ${request.headers.dpop} ${await text(request)}`);
    }, 1);
    const sent = { method: 'POST', path: '/a?b', headers: { dpop: 'proof' }, body: 'body' } as const;
    expect(await pool.send(sent, 302)).toEqual({
      status: 302,
      location: 'http://elsewhere/?c=d',
      cookies: ['one=1; Path=/', 'two=2'],
      body: 'POST /a?b proof body',
      hasRetryAfter: false,
    });
  });

  it('opens no more connections than allowed', async () => {
    const ports = new Set<number | undefined>();
    const { pool } = await open((request, response) => {
      ports.add(request.socket.remotePort);
      setTimeout(() => response.end(), 5);
    }, 2);
    await Promise.all(Array.from({ length: 6 }, () => pool.send(get, 200)));
    expect(ports.size).toBe(2);
  });

  it('refuses an unexpected status and stays usable', async () => {
    const { pool } = await open((_, response) => response.writeHead(404).end('absent'), 1);
    await expect(pool.send(get, 200)).rejects.toThrow('404 for GET /a: absent');
    expect((await pool.send(get, 404)).body).toBe('absent');
  });

  it('rejects a request whose connection is closed, and those that wait for it', async () => {
    const { pool } = await open((request) => request.socket.destroy(), 1);
    const outcomes = await Promise.allSettled([pool.send(get, 200), pool.send(get, 200)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('replaces a connection that the server has closed while it was idle', async () => {
    const { pool, server } = await open((_, response) => response.end('here'), 1);
    await pool.send(get, 200);
    server.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await pool.send(get, 200)).body).toBe('here');
  });
});
