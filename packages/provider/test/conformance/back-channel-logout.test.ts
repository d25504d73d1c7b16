import { beforeTests } from '@carnet/test-servers/before-tests';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { adminClients, discovery, refusal } from '../call.ts';
import { registerClient } from '../clients.ts';
import { consentPage, loginPage } from '../harness.ts';
import { authorizationUrl, type Json, login, refresh } from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { deliveriesIn, logoutPage, logoutUrl, signOut, untilDelivered } from '../sign-out.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
const errorPage = 'http://login.test/error';
const remember = { remember: true, remember_for: 3_600 };

describe('OpenID Connect Back-Channel Logout 1.0', () => {
  const receiver = beforeTests(() => startLogoutReceiver());
  const other = beforeTests(() => startLogoutReceiver());
  const instance = startBeforeTests({
    config: {
      urls: { login: loginPage, consent: consentPage, logout: logoutPage, error: errorPage },
      logout: { backchannelRetries: [1, 1], backchannelPollSeconds: 1 },
      outbound: { timeoutMs: 3_000 },
    },
  });
  const app = beforeTests(() => registerClient(instance, 'app', { backchannel_logout_uri: receiver.url }));
  const second = beforeTests(() =>
    registerClient(instance, 'second', {
      backchannel_logout_uri: other.url,
      backchannel_logout_session_required: true,
      id_token_signed_response_alg: 'RS256',
    }),
  );
  const silent = registerBeforeTests(instance, 'silent');
  beforeEach(() => {
    receiver.forget();
    other.forget();
  });
  afterEach(() => untilDelivered(instance.adapter));

  const loggedIn = async (client = app): Promise<{ browser: Browser; tokens: Json }> => {
    const browser = createBrowser();
    return { browser, tokens: await login(instance, client, { browser, login: remember }) };
  };
  /** The first token of the logout of a client's login. */
  const loggedOut = async () => {
    const { browser, tokens } = await loggedIn();
    await signOut(instance, browser);
    const [logout] = await receiver.until(1);
    return { browser, tokens, logout, token: logout?.token ?? '' };
  };
  /** A logout that the client answers with these statuses; the last audit record, after so many requests. */
  const delivered = async (count: number, ...statuses: readonly number[]) => {
    const { browser } = await loggedIn();
    receiver.answerWith(...statuses);
    await signOut(instance, browser);
    await receiver.until(count);
    await untilDelivered(instance.adapter);
    expect(receiver.received).toHaveLength(count);
    return lastAudit();
  };
  const audits = () => [...instance.log().matchAll(/"audit":(\{[^}]*\})/g)].map(([, json]) => JSON.parse(json ?? ''));
  const lastAudit = () => audits().findLast(({ action }) => action === 'logout.backchannel');

  test('2.1 the metadata says that logout tokens are sent, with sid', async () => {
    expect(await discovery(instance)).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
  });

  test('2.2 the URI a client is registered with has no fragment', async () => {
    const metadata = { backchannel_logout_uri: 'https://app.test/logout#now' };
    expect(await adminClients(instance, 'POST', '', metadata)).toMatchObject(refusal('invalid_client_metadata'));
  });

  test('2.3 every client that got tokens in the session is told, and nobody else', async () => {
    const { browser } = await loggedIn();
    await login(instance, second, { browser });
    await login(instance, silent, { browser });
    await loggedIn(second);
    await signOut(instance, browser);
    await Promise.all([receiver.until(1), other.until(1)]);
    await untilDelivered(instance.adapter);
    expect([receiver.received.length, other.received.length]).toEqual([1, 1]);
    expect(receiver.sids()).toEqual(other.sids());
  });

  test('2.4 a logout token has the claims it must have, and no nonce', async () => {
    const before = Math.floor(Date.now() / 1_000);
    const { tokens, token } = await loggedOut();
    const { sid } = decodeJwt(String(tokens.id_token));
    const { iat = 0, exp = 0, jti, ...claims } = decodeJwt(token);
    expect(claims).toEqual({ iss: instance.issuer, sub: 'alice', aud: app.id, sid, events: { [event]: {} } });
    expect(jti).toMatch(/^[\w-]{22,}$/);
    expect(iat).toBeGreaterThanOrEqual(before);
    expect(exp - iat).toBeGreaterThan(0);
    expect(exp - iat).toBeLessThanOrEqual(120);
  });

  test('2.4 it counts for no ID token where one is a hint', async () => {
    const { tokens, token } = await loggedOut();
    const answered = async (id_token_hint: unknown) =>
      locationOf(await createBrowser().get(authorizationUrl(instance, app, { id_token_hint: String(id_token_hint) })));
    expect((await answered(tokens.id_token)).searchParams.has('login_challenge')).toBe(true);
    expect((await answered(token)).searchParams.get('error')).toBe('invalid_request');
    const ended = await createBrowser().get(logoutUrl(instance, { id_token_hint: token }));
    const { origin, pathname, searchParams } = locationOf(ended);
    expect([origin + pathname, searchParams.get('error')]).toEqual([errorPage, 'invalid_request']);
  });

  test('2.4 no two logout tokens have one jti, of the same logout either', async () => {
    await delivered(2, 503, 200);
    expect(new Set(receiver.received.map(({ token }) => decodeJwt(token).jti)).size).toBe(2);
  });

  test('2.4 it is signed as the ID tokens of the client are, with a key of the JWKS, and typed explicitly', async () => {
    const { browser } = await loggedIn();
    const { id_token } = await login(instance, second, { browser });
    await signOut(instance, browser);
    const [[one], [two]] = await Promise.all([receiver.until(1), other.until(1)]);
    const keys = createRemoteJWKSet(new URL(`${instance.issuer}/.well-known/jwks.json`));
    const expected = { issuer: instance.issuer, typ: 'logout+jwt', requiredClaims: ['iat', 'jti', 'events'] };
    const first = await jwtVerify(one?.token ?? '', keys, { ...expected, audience: app.id });
    const other_ = await jwtVerify(two?.token ?? '', keys, { ...expected, audience: second.id });
    expect([first.protectedHeader.alg, other_.protectedHeader.alg]).toEqual(['ES256', 'RS256']);
    expect(other_.protectedHeader.alg).toBe(decodeProtectedHeader(String(id_token)).alg);
  });

  test('2.4 the sid is the one of the ID token of the client, also when the person has signed in again since', async () => {
    const { browser, tokens } = await loggedIn();
    const again = { browser, login: remember, params: { prompt: 'login' } };
    const later = await login(instance, second, again);
    await signOut(instance, browser);
    await Promise.all([receiver.until(1), other.until(1)]);
    expect(receiver.sids()).toEqual([decodeJwt(String(tokens.id_token)).sid]);
    expect(other.sids()).toEqual([decodeJwt(String(later.id_token)).sid]);
  });

  test('2.5 it is a form with logout_token, posted to the registered URI with its query', async () => {
    const { logout } = await loggedOut();
    expect(logout?.url).toBe('/backchannel?tenant=a%20b');
    expect(logout?.contentType).toBe('application/x-www-form-urlencoded');
    expect([...(logout?.form.keys() ?? [])]).toEqual(['logout_token']);
  });

  test('2.7 refresh tokens with offline_access live on', async () => {
    const { tokens } = await loggedOut();
    expect((await refresh(instance, app, tokens.refresh_token)).status).toBe(200);
  });

  test.each([200, 204])('2.8 %d is success: it is not told again', async (status) => {
    expect(await delivered(1, status, 500)).toEqual({
      action: 'logout.backchannel',
      outcome: 'success',
      clientId: 'app',
      subject: 'alice',
    });
  });

  test('2.8 400 is an answer: it is not told again, and the audit record says so', async () => {
    expect(await delivered(1, 400)).toMatchObject({ outcome: 'denied', reason: 'http_400', clientId: 'app' });
  });

  test.each([
    ['is answered with 503', 503],
    ['is answered with a redirect', 302],
    ['is not answered', 0],
  ])('2.8 what %s is tried again', async (_what, status) => {
    expect(await delivered(2, status, 200)).toMatchObject({ outcome: 'success' });
  });

  test('a client that never answers is given up after the last attempt, with an audit record', async () => {
    expect(await delivered(3, 503)).toMatchObject({ outcome: 'denied', reason: 'gave_up', clientId: 'app' });
    expect(instance.log()).not.toContain(receiver.received[0]?.token);
  });

  test('a client that does not answer keeps neither the browser waiting nor other clients', async () => {
    const { browser } = await loggedIn();
    await login(instance, second, { browser });
    receiver.answerWith(0);
    await signOut(instance, browser);
    await other.until(1);
    // The browser has its answer, and the other client has heard, while this one is still being waited for.
    expect((await deliveriesIn(instance.adapter)).some(({ clientId }) => clientId === 'app')).toBe(true);
    receiver.answerWith(200);
  });

  test('a login that was not remembered has no session, so nobody is told of its end', async () => {
    const browser = createBrowser();
    const { id_token } = await login(instance, app, { browser });
    expect((await browser.get(logoutUrl(instance, { id_token_hint: String(id_token) }))).status).toBe(200);
    expect(await deliveriesIn(instance.adapter)).toEqual([]);
  });

  test('another person who logs in ends the session before: its clients are told', async () => {
    const { browser, tokens } = await loggedIn();
    await login(instance, second, { browser, subject: 'bob', login: remember, params: { prompt: 'login' } });
    await receiver.until(1);
    expect(receiver.sids()).toEqual([decodeJwt(String(tokens.id_token)).sid]);
    expect(decodeJwt(receiver.received[0]?.token ?? '').sub).toBe('alice');
    expect(other.received).toEqual([]);
  });

  test('the same person who logs in again, remembered, stays: nobody is told', async () => {
    const { browser } = await loggedIn();
    await login(instance, app, { browser, login: remember, params: { prompt: 'login' } });
    expect(await deliveriesIn(instance.adapter)).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  test('the same person who logs in again, not to be remembered, has ended the session', async () => {
    const { browser } = await loggedIn();
    await login(instance, second, { browser, params: { prompt: 'login' } });
    await receiver.until(1);
    expect(browser.cookies.has('carnet_session')).toBe(false);
  });
});
