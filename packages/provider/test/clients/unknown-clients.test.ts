import { expect, it } from 'vitest';
import { redirectUri } from '../clients.ts';
import { start } from '../harness.ts';
import { codeChallenge } from '../login.ts';
import { formPost, type RawHttp, sendRawTo } from '../raw-http.ts';

const query = new URLSearchParams({
  client_id: 'unknown',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: redirectUri,
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
});

const requests: Readonly<Record<string, RawHttp>> = {
  'an authorization request': { target: `/oauth2/auth?${query}` },
  'a secret in the form': formPost('/oauth2/token', 'grant_type=client_credentials&client_id=unknown&client_secret=x'),
  'a secret in the header': formPost('/oauth2/token', 'grant_type=client_credentials', [
    ['Authorization', `Basic ${btoa('unknown:x')}`],
  ]),
};

it.each(Object.entries(requests))('a client that does not exist is looked for once: %s', async (_, request) => {
  const instance = await start();
  const before = instance.calls.reads.length;
  const { status } = await sendRawTo(instance.issuer, request);
  expect([200, 500]).not.toContain(status);
  expect(instance.calls.reads.length - before).toBe(1);
});
