import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { GoneError } from '../../src/errors.ts';
import { registerBeforeTests } from '../before-tests.ts';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { start } from '../harness.ts';
import { authorizationUrl, begin, challengeIn, codeIn, headless, introspect, redeem } from '../login.ts';

const instance = beforeTests(() => start({ now: () => Date.now() + offset }));
const client = registerBeforeTests(instance, 'app');
let offset = 0;

const beginLogin = async (browser: Browser = createBrowser(), params = {}) => ({
  browser,
  challenge: await begin(browser, authorizationUrl(instance, client, params)),
});

const beginConsent = async () => {
  const { browser, challenge } = await beginLogin();
  const { redirectTo } = await instance.carnet.requests.login.accept(challenge, { subject: 'alice' });
  return { browser, challenge: challengeIn(await browser.get(redirectTo), 'consent') };
};

/** A browser after a login that is remembered. */
const rememberedBrowser = async (decision: { subject: string; rememberFor?: number }) => {
  const { login, consent } = instance.carnet.requests;
  const { browser, challenge } = await beginLogin();
  const { redirectTo } = await login.accept(challenge, { ...decision, remember: true });
  const consentChallenge = challengeIn(await browser.get(redirectTo), 'consent');
  await browser.get((await consent.accept(consentChallenge, { grantScopes: ['openid'] })).redirectTo);
  return browser;
};

describe('carnet.requests', () => {
  test('completes a login: requests are read, accepted, and the code is redeemed', async () => {
    const { login, consent } = instance.carnet.requests;
    const params = { acr_values: 'gold silver', login_hint: 'alice@example.com' };
    const { browser, challenge } = await beginLogin(createBrowser(), params);
    const request = await login.get(challenge);
    expect(request).toMatchObject({
      challenge,
      skip: false,
      subject: undefined,
      client: { client_id: 'app' },
      requestedScopes: ['openid', 'offline_access', 'profile'],
      requestedAudience: [],
      oidcContext: { acrValues: ['gold', 'silver'], loginHint: 'alice@example.com' },
    });
    const toConsent = await login.accept(challenge, { subject: 'alice', acr: 'gold', amr: ['pwd'], context: { a: 1 } });
    const consentChallenge = challengeIn(await browser.get(toConsent.redirectTo), 'consent');
    const asked = await consent.get(consentChallenge);
    expect(asked).toMatchObject({
      subject: 'alice',
      skip: false,
      acr: 'gold',
      amr: ['pwd'],
      context: { a: 1 },
      sessionId: request.sessionId,
    });
    const { redirectTo } = await consent.accept(consentChallenge, {
      grantScopes: asked.requestedScopes,
      claims: { idToken: { email: 'alice@example.com' }, accessToken: { plan: 'pro' } },
    });
    const code = codeIn(locationOf(await browser.get(redirectTo)));
    const { body } = await redeem(instance, client, code);
    expect(await introspect(instance, body.access_token)).toMatchObject({ sub: 'alice', ext: { plan: 'pro' } });
    expect(decodeJwt(String(body.id_token))).toMatchObject({
      sub: 'alice',
      email: 'alice@example.com',
      acr: 'gold',
      amr: ['pwd'],
    });
  });

  test('a page that changes the consent request it got changes nothing of the flow', async () => {
    const { login, consent } = instance.carnet.requests;
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, client));
    const { redirectTo } = await login.accept(challenge, { subject: 'alice', amr: ['pwd'], context: { roles: ['a'] } });
    const consentChallenge = challengeIn(await browser.get(redirectTo), 'consent');
    const asked = await consent.get(consentChallenge);
    (asked.amr as string[]).push('mfa');
    (asked.context as { roles: string[] }).roles.push('b');
    expect(await consent.get(consentChallenge)).toMatchObject({ amr: ['pwd'], context: { roles: ['a'] } });
    const end = await consent.accept(consentChallenge, { grantScopes: ['openid'] });
    const { body } = await redeem(instance, client, codeIn(locationOf(await browser.get(end.redirectTo))));
    expect(decodeJwt(String(body.id_token)).amr).toEqual(['pwd']);
  });

  test('skips the login of a remembered user, and starts again for another user', async () => {
    const { login } = instance.carnet.requests;
    const browser = await rememberedBrowser({ subject: 'alice', rememberFor: 60 });
    const again = await beginLogin(browser);
    expect(await login.get(again.challenge)).toMatchObject({ skip: true, subject: 'alice' });
    const other = await login.accept(again.challenge, { subject: 'bob' });
    expect(new URL(other.redirectTo).searchParams.get('prompt')).toBe('login');
  });

  test('returns a rejection to the client', async () => {
    const { browser, challenge } = await beginConsent();
    const { redirectTo } = await instance.carnet.requests.consent.reject(challenge, {
      error: 'access_denied',
      errorDescription: 'No.',
    });
    const { searchParams } = locationOf(await browser.get(redirectTo));
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual(['access_denied', 'No.']);
    const second = await beginLogin();
    const rejected = await instance.carnet.requests.login.reject(second.challenge);
    const answer = locationOf(await second.browser.get(rejected.redirectTo));
    expect(answer.searchParams.get('error')).toBe('login request denied');
  });

  test('ends a session by a logout request', async () => {
    const { login, logout } = instance.carnet.requests;
    const browser = await rememberedBrowser({ subject: 'carol' });
    const page = await browser.get(`${instance.issuer}/oauth2/sessions/logout`);
    const logoutChallenge = new URL(locationOf(page)).searchParams.get('logout_challenge') ?? '';
    const request = await logout.get(logoutChallenge);
    expect(request).toMatchObject({ subject: 'carol', rpInitiated: false, client: undefined });
    expect(request.expiresAt.getTime()).toBeGreaterThan(request.requestedAt.getTime());
    expect(await logout.reject(logoutChallenge)).toBeUndefined();
    expect((await login.get((await beginLogin(browser)).challenge)).skip).toBe(true);
    await browser.get((await logout.accept(logoutChallenge)).redirectTo);
    expect((await login.get((await beginLogin(browser)).challenge)).skip).toBe(false);
  });

  test.each([
    ['remember_for', 'rememberFor', { subject: 'alice', remember: true, remember_for: 60 }],
    ['extend_session_lifespan', 'extendSession', { subject: 'alice', extend_session_lifespan: true }],
  ])('refuses the member %s of a login, and names %s', async (given, right, decision) => {
    const { challenge } = await beginLogin();
    const call = instance.carnet.requests.login.accept(challenge, decision as never);
    await expect(call).rejects.toMatchObject({
      code: 'invalid_request',
      field: given,
      description: `Field '${given}' is unknown here: use '${right}'.`,
    });
    expect(await instance.carnet.requests.login.accept(challenge, { subject: 'alice' })).toBeDefined();
  });

  test.each([
    ['grant_scope', { grant_scope: ['openid'] }, "use 'grantScopes'"],
    ['claims.id_token', { claims: { id_token: {} } }, "use 'idToken'"],
    [
      'session',
      { session: {} },
      'the members are grantScopes, grantAudience, grantAuthorizationDetails, claims, remember, rememberFor, context',
    ],
  ])('refuses the member %s of a consent', async (given, decision, hint) => {
    const { challenge } = await beginConsent();
    const call = instance.carnet.requests.consent.accept(challenge, decision as never);
    await expect(call).rejects.toMatchObject({ description: `Field '${given}' is unknown here: ${hint}.` });
  });

  test('refuses an unknown member of a rejection', async () => {
    const { challenge } = await beginLogin();
    const call = instance.carnet.requests.login.reject(challenge, { error_description: 'No.' } as never);
    await expect(call).rejects.toMatchObject({ description: expect.stringContaining("use 'errorDescription'") });
  });

  test('names arguments by their own names, and members of a body by theirs', async () => {
    const { challenge } = await beginConsent();
    const { consent, login } = instance.carnet.requests;
    await expect(consent.accept(challenge, { grantScopes: ['openid', 'root'] })).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'grantScopes',
      message: "Field 'grantScopes' names 'root', which the client is not registered for.",
    });
    await expect(
      consent.accept(challenge, { grantScopes: [], claims: { idToken: [] as never } }),
    ).rejects.toMatchObject({ message: "Field 'claims.idToken' must be an object." });
    await expect(
      login.accept((await beginLogin()).challenge, { subject: 'alice', rememberFor: -1 }),
    ).rejects.toMatchObject({ message: "Field 'rememberFor' must not be less than 0." });
    const sent = { subject: 'alice', remember_for: -1, rememberFor: 5 };
    const path = `login/accept?login_challenge=${(await beginLogin()).challenge}`;
    const error_description = "Field 'remember_for' must not be less than 0.";
    expect(await headless(instance, 'PUT', path, sent)).toMatchObject({ status: 400, body: { error_description } });
  });

  test.each(['login', 'consent', 'logout', 'backchannel'] as const)('finds no %s request for a guess', async (page) => {
    await expect(instance.carnet.requests[page].get('a-guess')).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['absent', undefined],
    ['repeated', ['a', 'b']],
  ])('finds no request for a query parameter that is %s', async (_what, challenge) => {
    for (const page of ['login', 'consent', 'logout', 'backchannel'] as const)
      await expect(instance.carnet.requests[page].get(challenge as never)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('refuses values that are no JSON', async () => {
    const { login } = instance.carnet.requests;
    const { challenge } = await beginLogin();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    for (const context of [circular, 1n, deep])
      await expect(login.accept(challenge, { subject: 'alice', context })).rejects.toMatchObject({
        code: 'invalid_request',
        field: 'context',
      });
  });

  test('throws where to start again for an expired challenge', async () => {
    const { challenge } = await beginLogin();
    offset = 3_600_000;
    const error: unknown = await instance.carnet.requests.login.get(challenge).catch((thrown: unknown) => thrown);
    offset = 0;
    expect(error).toBeInstanceOf(GoneError);
    expect((error as GoneError).redirectTo).toContain(`${instance.issuer}/oauth2/auth?`);
  });
});
