import { type Listening, listen } from '@carnet/test-servers/listen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClientKeysFetcher } from './fetch-client-keys.ts';

let requests = 0;
let server: Listening;
beforeAll(async () => {
  server = await listen(({ url }, response) => {
    requests += 1;
    if (url !== '/jwks') response.statusCode = 404;
    response.end('{"keys":[]}');
  });
});
afterAll(() => server.close());

const outbound = { allow: [], timeoutMs: 5_000, maxBytes: 65_536 };
const logged: object[] = [];
const logger = { info: (fields: object) => void logged.push(fields) };

test('keys of clients are fetched by the rules of `outbound`', async () => {
  const inDev = createClientKeysFetcher({ outbound, dev: true }, logger);
  expect(await inDev(`${server.origin}/jwks`)).toEqual({ type: 'document', content: { keys: [] } });
  expect(await inDev(`${server.origin}/other`)).toEqual({ type: 'problem', reason: 'HTTP 404' });
  const fetchKeys = createClientKeysFetcher({ outbound, dev: false }, logger);
  expect(await fetchKeys(`${server.origin}/jwks`)).toEqual({ type: 'problem', reason: 'plain_http' });
  expect(await fetchKeys('https://127.0.0.1/jwks')).toEqual({ type: 'problem', reason: 'private_address' });
  expect(JSON.stringify(logged)).not.toContain('/jwks');
});

test('the keys at a URL are fetched once for all that need them at about the same time', async () => {
  const fetchKeys = createClientKeysFetcher({ outbound, dev: true }, logger);
  const before = requests;
  const [one, other] = await Promise.all([fetchKeys(`${server.origin}/jwks`), fetchKeys(`${server.origin}/jwks`)]);
  expect(await fetchKeys(`${server.origin}/jwks`)).toEqual(one);
  expect([other, requests - before]).toEqual([one, 1]);
});
