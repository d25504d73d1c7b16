import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm, refusal } from '../call.ts';
import { basicOf, redirectUri } from '../clients.ts';
import { authorizationUrl, authorizeAt, begin, codeIn, codeVerifier, headless, pushedUrl, token } from '../login.ts';

describe('redirect_uri', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'one');
  const several = registerBeforeTests(instance, 'several', { redirect_uris: [redirectUri, `${redirectUri}/2`] });

  /** The URL of a request without openid and without `redirect_uri`. */
  const bareUrl = (params: Readonly<Record<string, string>> = {}, by = client): string =>
    authorizationUrl(instance, by, { scope: 'profile', ...params, redirect_uri: undefined, nonce: undefined });

  const codeAt = async (url: string): Promise<string> =>
    codeIn(await authorizeAt(instance, url, { consent: { grant_scope: ['profile'] } }));

  const redeem = (code: string, params: Readonly<Record<string, string>> = {}, by = client) =>
    token(instance, by, { grant_type: 'authorization_code', code, code_verifier: codeVerifier, ...params });

  const named = { redirect_uri: redirectUri };

  test('the token request must repeat a redirect_uri of the authorization request, and a failure keeps the code', async () => {
    for (const by of [client, several]) {
      const code = await codeAt(authorizationUrl(instance, by, { scope: 'openid profile' }));
      for (const redirect_uri of [undefined, ''])
        expect(await redeem(code, redirect_uri === undefined ? {} : { redirect_uri }, by)).toMatchObject(
          refusal('invalid_request'),
        );
      const other = await redeem(code, { redirect_uri: `${redirectUri}/2` }, by);
      expect(other).toMatchObject(refusal('invalid_grant'));
      expect((await redeem(code, named, by)).status).toBe(200);
    }
  });

  test('may be left out of a request without openid by a client that has one, and then of its redemption', async () => {
    expect((await redeem(await codeAt(bareUrl()))).status).toBe(200);
    expect((await redeem(await codeAt(bareUrl()), named)).status).toBe(200);
    const other = await redeem(await codeAt(bareUrl()), { redirect_uri: 'https://evil.test/' });
    expect(other.body.error).toBe('invalid_grant');
  });

  test('may be left out of a pushed request without openid, and then of its redemption', async () => {
    const form = new URL(bareUrl()).searchParams;
    const pushed = await postForm(`${instance.issuer}/oauth2/par`, form, basicOf(client));
    expect(pushed.status).toBe(201);
    expect((await redeem(await codeAt(pushedUrl(instance, client, pushed)))).status).toBe(200);
  });

  test('request_url omits redirect_uri if the request has omitted it', async () => {
    const challenge = await begin(createBrowser(), bareUrl());
    const { body } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
    expect(new URL(String(body.request_url)).searchParams.has('redirect_uri')).toBe(false);
  });

  test.each([
    ['by a request with openid', () => bareUrl({ scope: 'openid' })],
    ['by a request with openid that gives it no value', () => `${bareUrl({ scope: 'openid' })}&redirect_uri=`],
    ['by a client that has several', () => bareUrl({}, several)],
  ])('can not be left out %s', async (_what, url) => {
    const response = await createBrowser().get(url());
    expect(locationOf(response).href).toContain('http://login.test/error?error=invalid_request');
  });

  test.each([
    ['the same', redirectUri],
    ['another', 'https://evil.test/'],
  ])('given twice, the second time %s, sends no browser to the client', async (_what, second) => {
    const url = `${authorizationUrl(instance, client)}&redirect_uri=${encodeURIComponent(second)}`;
    const response = await createBrowser().get(url);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(await response.text()).toContain('redirect_uri must not be given twice');
  });
});
