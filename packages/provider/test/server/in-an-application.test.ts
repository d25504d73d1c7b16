import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { redirectUri } from '../clients.ts';
import { codeChallenge } from '../login.ts';
import { formPost, type RawHttp, sendRawTo } from '../raw-http.ts';

const secret = 'a plain secret of sixteen';

const beginning = new URLSearchParams({
  client_id: 'shop',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: redirectUri,
  state: 'a state of the client',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
});

const requests: Readonly<Record<string, RawHttp>> = {
  'metadata of the provider': { target: '/.well-known/openid-configuration' },
  'its keys': { target: '/.well-known/jwks.json' },
  'a login that begins': { target: `/oauth2/auth?${beginning}` },
  'a token of a client': formPost('/oauth2/token', 'grant_type=client_credentials', [
    ['Authorization', `Basic ${Buffer.from(`shop:${encodeURIComponent(secret)}`).toString('base64')}`],
  ]),
};

/** What an application says before it hands a request on. */
const said: readonly Readonly<Record<string, string | readonly string[]>>[] = [
  { 'Set-Cookie': 'app=1' },
  { 'Set-Cookie': ['app=1', 'other=2'] },
  { Vary: 'Accept-Encoding' },
  { 'Access-Control-Expose-Headers': 'X-Mine' },
  { Pragma: 'mine' },
  { 'Content-Length': '5' },
  { 'Cache-Control': 'private' },
  { 'Content-Security-Policy': "default-src 'none'" },
  { Location: '/elsewhere', ETag: '"x"', Link: '<x>; rel=preload' },
  { 'X-Powered-By': 'an application', 'X-Request-Id': 'of the application' },
  {},
];

describe('endpoints in an application', () => {
  let headers: (typeof said)[number] = {};
  const instance = startBeforeTests({
    mount: (carnet): RequestListener => {
      const handle = carnet.callback();
      return (req, res) => {
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
        handle(req, res);
      };
    },
  });
  registerBeforeTests(instance, 'shop', { client_secret: secret });

  const answer = (name: string) => sendRawTo(instance.issuer, requests[name] as RawHttp);

  it.each(Object.keys(requests))('%s: the headers are those of this request and of no other', async (name) => {
    headers = {};
    const own = await answer(name);
    const isSealed = own.status === 302;
    for (headers of said) {
      const { status, headers: sent } = await answer(name);
      expect(status, JSON.stringify(headers)).toBe(own.status);
      for (const each of ['cache-control', 'content-security-policy', 'content-type', 'x-frame-options'])
        expect(sent[each], `${each} after ${JSON.stringify(headers)}`).toBe(own.headers[each]);
      if (!isSealed) expect(sent['content-length']).toBe(own.headers['content-length']);
      expect(sent['x-request-id']).not.toBe('of the application');
      for (const cookie of [headers['Set-Cookie'] ?? []].flat()) expect(sent['set-cookie']).toContain(cookie);
      if (headers.Vary) expect(sent.vary).toContain('Accept-Encoding');
      expect(sent['x-powered-by']).toBe(headers['X-Powered-By']);
    }
  });

  it.each(Object.keys(requests))('%s: the type and the length are those of its own body', async (name) => {
    headers = {};
    const expected = await answer(name);
    for (headers of [{ 'Content-Type': 'text/plain' }, { 'Transfer-Encoding': 'chunked' }]) {
      const { headers: sent, text } = await answer(name);
      expect(sent['content-type']).toBe(expected.headers['content-type']);
      expect(sent['content-length']).toBe(String(Buffer.byteLength(text)));
      expect(sent['transfer-encoding']).toBeUndefined();
    }
  });

  it('leave it to the application which pages may read a response', async () => {
    headers = { 'Access-Control-Allow-Origin': 'https://app.test' };
    const { status, headers: sent } = await sendRawTo(instance.issuer, {
      target: '/.well-known/openid-configuration',
      headers: [['Origin', 'https://other.test']],
    });
    expect([status, sent['access-control-allow-origin']]).toEqual([200, 'https://app.test']);
  });
});
