import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpDirectory } from './http-directory.ts';

const dana = { subject: 'u1', claims: { name: 'Dana' } };
let server: Server;
let url: URL;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const answer = (status: number, body?: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.headers.authorization !== 'Bearer directory-token') return answer(500);
    const { searchParams } = new URL(request.url ?? '', 'http://directory');
    if (request.method === 'GET') return searchParams.get('subject') === 'u1' ? answer(200, dana) : answer(404);
    const { username, password } = (await json(request)) as { username: string; password: string };
    if (username === 'broken') return answer(200, { claims: {} });
    if (username === 'slow') return undefined;
    return username === 'dana' && password === 'secret' ? answer(200, dana) : answer(401);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/users`);
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const open = (token = 'directory-token', timeoutMilliseconds = 5000) =>
  createHttpDirectory({ url, token, timeoutMilliseconds });
const unavailable = { code: 'directory_unavailable' };

describe('the HTTP user directory', () => {
  it('checks passwords and knows claims', async () => {
    expect(await open().authenticate('dana', 'secret')).toEqual(dana);
    expect(await open().authenticate('dana', 'wrong')).toBeUndefined();
    expect(await open().claims('u1')).toEqual({ name: 'Dana' });
    expect(await open().claims('u2')).toBeUndefined();
  });

  it('never takes an outage for a wrong password', async () => {
    await expect(open('wrong-token').authenticate('dana', 'secret')).rejects.toMatchObject(unavailable);
    await expect(open('wrong-token').claims('u1')).rejects.toMatchObject(unavailable);
    await expect(open('directory-token', 100).authenticate('slow', 'secret')).rejects.toMatchObject(unavailable);
  });

  it('takes nobody without a subject for a user', async () => {
    await expect(open().authenticate('broken', 'secret')).rejects.toMatchObject(unavailable);
  });
});
