import { beforeAll, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { consentPage, loginPage } from '../harness.ts';
import { hasPieceOf, secretsIn } from '../leaks.ts';
import { authorizationUrl, codeVerifier, headless, redeem, refresh, token } from '../login.ts';
import { browserWith, codeAt, pageOf, verifierIn, walk } from '../walk.ts';

const lifetime = 1_800;

/** Section B: Referer, access logs and error pages never carry a challenge, verifier, code or token. */
describe('what others get to see', () => {
  const instance = startBeforeTests({
    now: () => Date.now() + offset * 1000,
    config: { urls: { login: loginPage, consent: consentPage } },
  });
  const client = registerBeforeTests(instance, 'app');
  let offset = 0;
  /** Everything secret that was seen on the way, by what it is. */
  const secrets = new Map<string, string>();
  const responses: Response[] = [];
  const pages: string[] = [];

  const remember = (name: string, value: unknown): void => {
    if (typeof value !== 'string' || value.length < 16) throw new Error(`no ${name}`);
    secrets.set(name, value);
  };
  const visit = async (url: string, cookies: ReadonlyMap<string, string> = new Map(), init: RequestInit = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie && { cookie }), ...init.headers },
    });
    responses.push(response);
    return response;
  };
  const keepPage = async (...args: Parameters<typeof visit>) => void pages.push(await pageOf(await visit(...args)));

  /** Flows that end well, and what is played again or wrongly with all that they gave. */
  beforeAll(async () => {
    remember('client secret', client.secret);
    remember('code verifier', codeVerifier);

    const flow = await walk(instance, client, { login: { remember: true }, consent: { remember: true } });
    remember('login challenge', flow.loginChallenge);
    remember('login verifier', verifierIn(flow.loginUrl));
    remember('consent challenge', flow.consentChallenge);
    remember('consent verifier', verifierIn(flow.consentUrl));
    for (const [name, value] of flow.cookies) remember(`cookie ${name.slice(0, 11)}`, value);
    remember('code', await codeAt(flow.browser, flow.consentUrl));
    remember('session cookie', flow.browser.cookies.get('carnet_session'));
    const code = secrets.get('code') ?? '';
    const { body } = await redeem(instance, client, code);
    for (const name of ['access_token', 'refresh_token', 'id_token']) remember(name, body[name]);
    const refreshed = await refresh(instance, client, body.refresh_token);
    remember('next access_token', refreshed.body.access_token);
    remember('next refresh_token', refreshed.body.refresh_token);

    const hints = { id_token_hint: String(body.id_token), login_hint: 'alice' };
    const again = await walk(instance, client, { params: hints });
    remember('another consent verifier', verifierIn(again.consentUrl));
    remember('another login verifier', verifierIn(again.loginUrl));

    // Pages: used, in another browser, not valid, expired, and with secrets where they do not belong.
    await keepPage(flow.consentUrl);
    await keepPage(again.consentUrl);
    await keepPage(again.loginUrl, new Map([['carnet_flow_x', 'y']]));
    const { issuer } = instance;
    for (const value of secrets.values()) await keepPage(`${issuer}/oauth2/auth?login_verifier=${value}x`);
    offset = lifetime + 31;
    await keepPage(again.loginUrl, again.cookies);
    await keepPage(again.consentUrl, again.cookies);
    await headless(instance, 'GET', `login?login_challenge=${flow.loginChallenge}`);
    offset = 0;

    await redeem(instance, client, code);
    await redeem(instance, client, `${code}x`);
    await redeem(instance, client, String(body.access_token));
    await refresh(instance, client, body.refresh_token);
    await refresh(instance, client, `${body.refresh_token}x`);
    await token(instance, { id: client.id, secret: `${client.secret}x` }, { grant_type: 'client_credentials' });
    for (const value of secrets.values()) {
      for (const what of ['login', 'consent', 'logout'])
        await headless(instance, 'GET', `${what}?${what}_challenge=${value}`);
      const path = encodeURIComponent(value);
      await visit(`${issuer}/userinfo?access_token=${path}`);
      await visit(`${issuer}/userinfo`, new Map(), { headers: { authorization: `Bearer ${path}` } });
      await visit(authorizationUrl(instance, client, { code_challenge_method: value, prompt: value }));
      await visit(authorizationUrl(instance, { id: path }));
      await visit(authorizationUrl(instance, client, { redirect_uri: `https://evil.test/${path}` }));
      await visit(authorizationUrl(instance, client, { scope: value, id_token_hint: value }));
      await visit(`${issuer}/oauth2/sessions/logout?logout_verifier=${path}`);
      await visit(`${issuer}/oauth2/sessions/logout?id_token_hint=${path}`);
      const form = { method: 'POST', body: new URLSearchParams({ token: value }) };
      await visit(`${issuer}/oauth2/revoke`, new Map(), form);
    }
    await visit(again.loginUrl, browserWith(again.cookies).cookies);
    await visit(authorizationUrl(instance, client), createBrowser().cookies);
  });

  /** The secrets of which a text holds 20 characters or more. */
  const leaksIn = (text: string): string[] =>
    [...secrets].filter(([, value]) => hasPieceOf(text, value)).map(([name]) => name);

  test('the log of all this carries no challenge, verifier, code, token, cookie or secret, nor a piece of one', () => {
    const log = instance.log();
    expect(secrets.size).toBeGreaterThanOrEqual(15);
    expect(log.split('\n').length).toBeGreaterThan(200);
    expect(leaksIn(log)).toEqual([]);
    expect(secretsIn(log)).toEqual([]);
  });

  test('the log says all the same what happened', () => {
    const log = instance.log();
    for (const text of ['/oauth2/auth', '/oauth2/token', '"status":403', 'flow_cookie_missing'])
      expect(log).toContain(text);
  });

  test('error pages contain no secret, and send no referrer', () => {
    expect(pages.length).toBeGreaterThan(15);
    for (const page of pages) {
      expect(leaksIn(page)).toEqual([]);
      expect(page).toContain('<meta name="referrer" content="no-referrer">');
      expect(page).not.toMatch(/<(?:script|img|iframe|link|form)/);
    }
  });

  test('every answer forbids the Referer, redirects and errors included', () => {
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 302, 303, 400, 401, 403]));
    for (const { headers, url } of responses) {
      expect(headers.get('referrer-policy'), url).toBe('no-referrer');
      expect(headers.get('cache-control'), url).toContain('no-store');
    }
  });

  test('redirects to the client or the error page contain no secret of the flow', () => {
    const locations = responses
      .map(({ headers }) => headers.get('location') ?? '')
      .filter((url) => !url.startsWith(loginPage) && !url.startsWith(consentPage));
    const ofFlow = ['login challenge', 'login verifier', 'consent challenge', 'consent verifier', 'session cookie'];
    for (const url of locations) expect(leaksIn(url).filter((name) => ofFlow.includes(name))).toEqual([]);
  });
});
