import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClientKeysFetcher } from './fetch-client-keys.ts';

let requests = 0;
const server = createServer(({ url }, response) => {
  requests += 1;
  if (url !== '/jwks') response.statusCode = 404;
  response.end('{"keys":[]}');
});
let at: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const outbound = { allow: [], timeoutMs: 5_000, maxBytes: 65_536 };
const logged: object[] = [];
const logger = { info: (fields: object) => void logged.push(fields) };

test('keys of clients are fetched by the rules of `outbound`', async () => {
  const inDev = createClientKeysFetcher({ outbound, dev: true }, logger);
  expect(await inDev(`${at}/jwks`)).toEqual({ type: 'document', content: { keys: [] } });
  expect(await inDev(`${at}/other`)).toEqual({ type: 'problem', reason: 'HTTP 404' });
  const fetchKeys = createClientKeysFetcher({ outbound, dev: false }, logger);
  expect(await fetchKeys(`${at}/jwks`)).toEqual({ type: 'problem', reason: 'plain_http' });
  expect(await fetchKeys('https://127.0.0.1/jwks')).toEqual({ type: 'problem', reason: 'private_address' });
  expect(JSON.stringify(logged)).not.toContain('/jwks');
});

test('the keys at a URL are fetched once for all that need them at about the same time', async () => {
  const fetchKeys = createClientKeysFetcher({ outbound, dev: true }, logger);
  const before = requests;
  const [one, other] = await Promise.all([fetchKeys(`${at}/jwks`), fetchKeys(`${at}/jwks`)]);
  expect(await fetchKeys(`${at}/jwks`)).toEqual(one);
  expect([other, requests - before]).toEqual([one, 1]);
});
