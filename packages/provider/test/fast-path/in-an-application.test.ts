import type { RequestListener } from 'node:http';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, it } from 'vitest';
import { redirectUri, registerClient } from '../clients.ts';
import { codeChallenge } from '../login.ts';
import { createFlowMask } from './flow-mask.ts';
import { type Pair, startPair } from './pair.ts';
import { formPost, type RawHttp } from './raw-http.ts';

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

describe('fast paths in an application', () => {
  const pair: Pair = beforeTests(() =>
    startPair({
      mask: createFlowMask(() => pair.issuer),
      mount: (carnet): RequestListener => {
        const handle = carnet.callback();
        return (req, res) => {
          for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
          handle(req, res);
        };
      },
    }),
  );
  let headers: (typeof said)[number] = {};
  beforeAll(async () => {
    await pair.arrange((instance) => registerClient(instance, 'shop', { client_secret: secret }));
  });

  it.each(Object.keys(requests))('answer %s with the headers of this request and of no other', async (name) => {
    const request = requests[name] as RawHttp;
    await pair.bothAnswer(request);
    const answers = [];
    for (headers of said) {
      const answer = await pair.bothAnswer(request);
      expect(answer.difference, JSON.stringify(headers)).toBeUndefined();
      answers.push(answer);
    }
    expect(answers.filter(({ isFast }) => isFast).length).toBeGreaterThan(5);
    expect(answers[0]?.fast.headers['set-cookie']).toMatch(/^app=1/);
    expect(answers.at(-2)?.fast.headers['x-powered-by']).toBe('an application');
    expect(answers.at(-1)?.fast.headers['x-powered-by']).toBeUndefined();
  });

  it.each(Object.keys(requests))('answer %s with the type and the length of its own body', async (name) => {
    headers = {};
    const { fast: expected } = await pair.bothAnswer(requests[name] as RawHttp);
    for (headers of [{ 'Content-Type': 'text/plain' }, { 'Transfer-Encoding': 'chunked' }]) {
      const { fast } = await pair.bothAnswer(requests[name] as RawHttp);
      expect(fast.headers['content-type']).toBe(expected.headers['content-type']);
      expect(fast.headers['content-length']).toBe(String(Buffer.byteLength(fast.text)));
      expect(fast.headers['transfer-encoding']).toBeUndefined();
    }
  });

  it('leave it to the application which pages may read a response', async () => {
    headers = { 'Access-Control-Allow-Origin': 'https://app.test' };
    const { fast } = await pair.bothAnswer({
      target: '/.well-known/openid-configuration',
      headers: [['Origin', 'https://other.test']],
    });
    expect([fast.status, fast.headers['access-control-allow-origin']]).toEqual([200, 'https://app.test']);
  });
});
