import { describe, expect, it } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { type RawHttp, type RawHttpAnswer, sendRawTo } from '../raw-http.ts';

const metadata = '/.well-known/openid-configuration';
const documents = [metadata, '/.well-known/oauth-authorization-server', '/.well-known/jwks.json'];
const origin = ['Origin', 'https://spa.example'] as const;

/** Requests that are refused, with the status and the `error` of the response. */
const refused: readonly (readonly [string, Omit<RawHttp, 'target'> & { readonly query?: string }, number, string])[] = [
  ['POST', { method: 'POST' }, 405, 'Method Not Allowed'],
  ['DELETE', { method: 'DELETE' }, 405, 'Method Not Allowed'],
  ['a body', { headers: [['Content-Type', 'application/x-www-form-urlencoded']], body: 'a=b' }, 400, 'invalid_request'],
  ['control characters', { query: '?a=%00' }, 400, 'invalid_request'],
  ['a query of 9,000 characters', { query: `?${'a'.repeat(9_000)}` }, 414, 'invalid_request'],
];

describe.each([
  ['of an issuer', ''],
  ['of an issuer with a path', '/op'],
])('the documents %s', (_name, path) => {
  const instance = startBeforeTests({ path });

  const send = (document: string, { query = '', ...request }: Partial<RawHttp> & { readonly query?: string } = {}) =>
    sendRawTo(instance.issuer, { ...request, target: path + document + query });
  const cors = ({ headers }: RawHttpAnswer) =>
    ['vary', 'access-control-allow-origin', 'access-control-expose-headers'].map((name) => headers[name]);

  describe.each(documents)('%s', (document) => {
    it('every caller gets the same document, without a read of the store', async () => {
      instance.calls.reset();
      const { status, text, headers } = await send(document);
      expect(status).toBe(200);
      expect(headers['x-request-id']).toBeTruthy();
      for (const query of ['?', '?x=1', '?format=xml&format=json'])
        expect((await send(document, { query })).text).toBe(text);
      const withCredentials = await send(document, {
        headers: [
          ['Authorization', 'Bearer x'],
          ['DPoP', 'x'],
          ['Cookie', 'a=b'],
        ],
      });
      expect(withCredentials.text).toBe(text);
      expect([instance.calls.reads.length, instance.calls.commits.length]).toEqual([0, 0]);
    });

    it('has no body for HEAD, and otherwise the same headers', async () => {
      const [get, head] = [await send(document), await send(document, { method: 'HEAD' })];
      const { date, 'x-request-id': id, ...expected } = get.headers;
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers).toMatchObject(expected);
    });

    it('may be read by every page', async () => {
      expect(cors(await send(document))).toEqual(['Origin', '*', undefined]);
      expect(cors(await send(document, { headers: [origin] }))).toEqual(['Origin', 'https://spa.example', undefined]);
    });

    it('lets a browser ask first what a page may send', async () => {
      const headers = [
        origin,
        ['Access-Control-Request-Method', 'GET'],
        ['Access-Control-Request-Headers', 'x-a'],
      ] as const;
      const preflight = await send(document, { method: 'OPTIONS', headers });
      expect([preflight.status, preflight.text]).toEqual([204, '']);
      expect(preflight.headers).toMatchObject({
        vary: 'Origin',
        'access-control-allow-origin': 'https://spa.example',
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'x-a',
        'access-control-max-age': '3600',
      });
    });

    it.each(refused)('refuses %s, readably for pages', async (_what, request, status, error) => {
      const answer = await send(document, { ...request, headers: [origin, ...(request.headers ?? [])] });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { error }]);
      expect(answer.headers.allow).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
      expect(answer.headers['access-control-allow-origin']).toBe('https://spa.example');
    });
  });

  it.each([
    [metadata, 'no-store', 'no-cache', 'application/json; charset=utf-8'],
    ['/.well-known/jwks.json', 'public, max-age=60', undefined, 'application/jwk-set+json; charset=utf-8'],
  ])('%s is cached no longer than it is right', async (document, caching, pragma, type) => {
    const { headers } = await send(document);
    expect([headers['cache-control'], headers.pragma, headers['content-type']]).toEqual([caching, pragma, type]);
  });

  it.each([`${metadata}/`, metadata.toUpperCase(), metadata.replace('.', '%2e'), `/x/..${metadata}`])(
    '%s is another path',
    async (document) => {
      expect((await send(document)).status).toBe(404);
    },
  );
});
