import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerClient } from '../clients.ts';
import { createFlowMask } from './flow-mask.ts';
import { type Pair, startPair } from './pair.ts';
import { formPost, type RawHttp } from './raw-http.ts';
import { codeChallenge } from '../login.ts';

const responseHeaders: readonly Readonly<Record<string, string | string[]>>[] = [
  {},
  { 'Set-Cookie': 'app=1' },
  { 'Set-Cookie': ['app=1', 'b=2'] },
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json' },
  { 'Content-Type': 'application/problem+json' },
  { 'Cache-Control': 'private' },
  { 'Content-Length': '5' },
  { 'Transfer-Encoding': 'chunked' },
  { 'Content-Encoding': 'identity' },
  { Location: '/x' },
  { ETag: '"x"' },
  { 'X-Request-Id': 'app' },
  { 'Content-Security-Policy': "default-src 'none'" },
  { 'Last-Modified': 'x'  },
  { 'WWW-Authenticate': 'x', Allow: 'GET' },
];

describe('in an application', () => {
  let pair: Pair;
  let chosen: Readonly<Record<string, string | string[]>> = {};
  const mask = createFlowMask(() => pair.issuer);
  beforeAll(async () => {
    pair = await startPair({
      mask,
      mount: (carnet): RequestListener => {
        const handle = carnet.callback();
        return (req, res) => {
          for (const [name, value] of Object.entries(chosen)) res.setHeader(name, value);
          handle(req, res);
        };
      },
    });
    await pair.arrange((at) => registerClient(at, 'shop', { client_secret: 'a plain secret of sixteen' }));
  });
  afterAll(() => pair.stop());

  const cc: RawHttp = formPost('/oauth2/token', 'grant_type=client_credentials', [
    ['Authorization', `Basic ${Buffer.from(`shop:a+plain+secret+of+sixteen`).toString('base64')}`],
  ]);
  const begin: RawHttp = { target: `/oauth2/auth?client_id=shop&response_type=code&scope=openid&state=ssssssssssss&redirect_uri=${encodeURIComponent('https://app.test/callback')}&code_challenge=${codeChallenge}&code_challenge_method=S256` };
  const docs: RawHttp = { target: '/.well-known/jwks.json' };
  it.each([['cc', cc], ['begin', begin], ['docs', docs]] as const)('%s', async (_n, request) => {
    const bad: string[] = [];
    await pair.bothAnswer(request);
    for (const each of responseHeaders) {
      chosen = each;
      const answers = await pair.bothAnswer(request);
      chosen = {};
      if (answers.difference) bad.push(`${JSON.stringify(each)} lean=${answers.isLean}\n${answers.difference}`);
      else if (!answers.isLean) bad.push(`${JSON.stringify(each)} not lean`);
    }
    expect(bad.join('\n\n')).toBe('');
  });
});
