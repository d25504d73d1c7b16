import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { type Cookies, openPage, submitForm } from './browser.ts';
import { openHttpPool } from './http-pool.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const page = `<form id="a" class="b" action="/next?one=1&amp;two=2" method="post">
  <input type="hidden" id="code" name="code" value="a&amp;b"/><input name="user" value=""></form>`;

it('A browser submits the first form of a page with its hidden fields, its cookies and what the user typed', async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.setHeader('Set-Cookie', 'sid=1; Path=/').end(page);
    received.push(`${request.url} ${request.headers.cookie} ${await text(request)}`);
    response.writeHead(302, { location: 'http://app.test/?code=1', 'content-length': 0 }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = openHttpPool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1);
  closing.push(() => {
    pool.close();
    server.closeAllConnections();
    server.close();
  });
  const cookies: Cookies = new Map();
  const html = await openPage(pool, cookies, 'http://127.0.0.1/page');
  const location = await submitForm(pool, cookies, html, { user: 'me' });
  expect(location).toBe('http://app.test/?code=1');
  expect(received).toEqual(['/next?one=1&two=2 sid=1 code=a%26b&user=me']);
});
