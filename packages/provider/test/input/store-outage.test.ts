import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { bearerOf, postForm, refusal } from '../call.ts';
import { startCarnet } from '../carnet-target.ts';
import { basicOf } from '../clients.ts';
import { outage } from '../faults.ts';
import { secretsIn } from '../leaks.ts';
import {
  acceptConsent,
  acceptLogin,
  authorizationUrl,
  begin,
  challengeIn,
  codeIn,
  credentialsFor,
  type Json,
  logIn,
  redeem,
  redemptionOf,
  refresh,
} from '../login.ts';
import { clients } from '../threat-target.ts';

const { app } = clients;
const { authorization = '' } = basicOf(app);
const tags = ['D12'];

/** D12: a store that does not answer is an outage, and said to be one; afterwards all is as it was. */
describe('while the store does not answer', () => {
  const carnet = beforeTests(() => startCarnet());
  let browser: Browser;
  let tokens: Json;
  let code: string;

  beforeEach(async () => {
    browser = createBrowser();
    tokens = (await redeem(carnet, app, await newCode())).body;
    code = await newCode();
    carnet.faults.down = true;
  });
  afterEach(() => {
    carnet.faults.down = false;
    expect(secretsIn(carnet.instance.log())).toEqual([]);
  });

  const newCode = async () => codeIn(await carnet.authorize(app, { browser }));
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    fetch(carnet.issuer + path, { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) });
  const introspect = () =>
    postForm(`${carnet.instance.admin}/admin/oauth2/introspect`, { token: String(tokens.access_token) });
  const userinfo = () => fetch(`${carnet.issuer}/userinfo`, { headers: bearerOf(tokens.access_token) });

  const expectOutage = async (response: Response, type: 'json' | 'html'): Promise<void> => {
    const text = await response.text();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(response.headers.get('content-type')).toMatch(type === 'json' ? /^application\/json/ : /^text\/html/);
    if (type === 'json') expect(JSON.parse(text).error).toBe('temporarily_unavailable');
    for (const word of outage.split(/[ ,]+/)) expect(text).not.toContain(word);
    const sent = [response.headers.getSetCookie(), response.headers.get('location'), secretsIn(text)];
    expect(sent).toEqual([[], null, []]);
  };

  test('the redemption of a code is 503, and the code works afterwards', { tags }, async () => {
    await expectOutage(await post('/oauth2/token', redemptionOf(code)), 'json');
    carnet.faults.down = false;
    expect((await redeem(carnet, app, code)).status).toBe(200);
  });

  test('a refresh is 503, and the refresh token works afterwards', { tags }, async () => {
    const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
    await expectOutage(await post('/oauth2/token', form), 'json');
    carnet.faults.down = false;
    expect((await refresh(carnet, app, tokens.refresh_token)).status).toBe(200);
  });

  test('client_credentials is 503', { tags }, async () => {
    await expectOutage(await post('/oauth2/token', { grant_type: 'client_credentials' }), 'json');
  });

  test('userinfo is 503, and not a token that is invalid', { tags }, async () => {
    await expectOutage(await userinfo(), 'json');
    carnet.faults.down = false;
    expect((await userinfo()).status).toBe(200);
  });

  test.each(['access_token', 'refresh_token'])(
    'the revocation of an %s is 503, and not said to be done',
    { tags },
    async (name) => {
      const revoke = () => post('/oauth2/revoke', { token: String(tokens[name]) });
      await expectOutage(await revoke(), 'json');
      carnet.faults.down = false;
      expect((await introspect()).body.active).toBe(true);
      expect((await revoke()).status).toBe(200);
      expect((await introspect()).body).toEqual({ active: false });
    },
  );

  test('a revocation that is read but can not be written is 503', { tags }, async () => {
    carnet.faults.down = false;
    carnet.faults.failNext('commit');
    await expectOutage(await post('/oauth2/revoke', { token: String(tokens.access_token) }), 'json');
  });

  test('introspection is 503, and never says that a token is not active', { tags }, async () => {
    const { status, headers, body } = await introspect();
    expect([status, headers.get('retry-after'), body.error]).toEqual([503, '1', 'temporarily_unavailable']);
    expect(body).not.toHaveProperty('active');
  });

  test('an authorization request of somebody who is logged in is a page with 503', { tags }, async () => {
    await expectOutage(await browser.get(authorizationUrl(carnet, app)), 'html');
    expect(browser.cookies.has('carnet_session')).toBe(true);
  });

  test('an authorization request of a client that is not in memory is a page with 503', { tags }, async () => {
    await expectOutage(await createBrowser().get(authorizationUrl(carnet, { id: 'unheard-of' })), 'html');
  });

  test('a token request of a client that is not in memory is 503, and not a client that is invalid', {
    tags,
  }, async () => {
    const answer = await credentialsFor(carnet, { ...app, id: 'unheard-of' });
    expect(answer).toMatchObject(refusal('temporarily_unavailable', 503));
  });

  test('a first login gets as far as its last step without the store; that is a page with 503, and can be repeated', {
    tags,
  }, async () => {
    const fresh = createBrowser();
    const consent = await logIn(carnet.instance, app, { browser: fresh, subject: 'bob' });
    const end = await acceptConsent(carnet.instance, consent, { remember: true });
    await expectOutage(await fresh.get(end), 'html');
    carnet.faults.down = false;
    expect((await redeem(carnet, app, locationOf(await fresh.get(end)))).status).toBe(200);
  });

  test('a login that is to be remembered is a page with 503 when the user has signed in, and can be repeated', {
    tags,
  }, async () => {
    const fresh = createBrowser();
    const challenge = await begin(fresh, authorizationUrl(carnet, app));
    const toConsent = await acceptLogin(carnet.instance, challenge, { subject: 'bob', remember: true });
    await expectOutage(await fresh.get(toConsent), 'html');
    expect(fresh.cookies.has('carnet_session')).toBe(false);
    carnet.faults.down = false;
    challengeIn(await fresh.get(toConsent), 'consent');
    expect(fresh.cookies.has('carnet_session')).toBe(true);
  });

  test('a logout is a page with 503, and the session goes on', { tags }, async () => {
    await expectOutage(await browser.get(`${carnet.issuer}/oauth2/sessions/logout`), 'html');
    expect(browser.cookies.has('carnet_session')).toBe(true);
  });

  test('the admin API is 503', { tags }, async () => {
    await expectOutage(await fetch(`${carnet.instance.admin}/admin/clients`), 'json');
    await expectOutage(await fetch(`${carnet.instance.admin}/admin/clients/unheard-of`), 'json');
  });

  test('what needs no store is answered', { tags }, async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
      expect((await fetch(carnet.issuer + path)).status).toBe(200);
    }
    expect((await fetch(`${carnet.instance.admin}/health/alive`)).status).toBe(200);
    expect((await fetch(`${carnet.instance.admin}/health/ready`)).status).toBe(503);
  });
});
