import { beforeTests } from '@carnet/test-servers/before-tests';
import type { OAuth2Api } from '@ory/hydra-client';
import { decodeJwt } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { refusal, sendJson } from '../call.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { createSdk, unknownMembers } from '../hydra-client/sdk.ts';
import { askConsent, askLogin, authorize, headless, introspect, type Json, login, redeem, refresh } from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { untilDelivered } from '../sign-out.ts';
import { walk } from '../walk.ts';

const remember = { remember: true, remember_for: 3_600 };

describe('sessions and consents of the admin API', () => {
  const receiver = beforeTests(() => startLogoutReceiver());
  const instance = startBeforeTests();
  const app = beforeTests(() =>
    registerClient(instance, 'app', { backchannel_logout_uri: receiver.url, audience: ['https://api.test'] }),
  );
  const second = registerBeforeTests(instance, 'second');
  let sdk: OAuth2Api;
  let subjects = 0;
  let subject: string;

  beforeAll(() => {
    sdk = createSdk(instance).oauth2;
  });
  beforeEach(() => {
    receiver.forget();
    subject = `subject ${subjects++}`;
  });

  const call = async (method: string, path: string) => {
    const { status, headers, body } = await sendJson(method, `${instance.admin}/admin/oauth2/auth/sessions/${path}`);
    // biome-ignore lint/suspicious/noExplicitAny: what the API answers is what these tests look into
    return { status, headers, body: body as any };
  };
  const query = (params: Record<string, string>) => new URLSearchParams(params);
  const listed = async (params: Record<string, string> = {}) =>
    (await call('GET', `consent?${query({ subject, ...params })}`)).body as Json[];
  const skips = async (browser: ReturnType<typeof createBrowser>) => (await askLogin(instance, app, { browser })).skip;
  const isActive = async ({ access_token }: Json) => (await introspect(instance, access_token)).active;
  const sidOf = ({ id_token }: Json) => String(decodeJwt(String(id_token)).sid);

  describe('DELETE sessions/login', () => {
    test('sid ends this session and notifies its clients; tokens stay valid', async () => {
      const [one, other] = [createBrowser(), createBrowser()];
      const tokens = await login(instance, app, { subject, browser: one, login: remember });
      await login(instance, app, { subject, browser: other, login: remember });
      expect((await sdk.revokeOAuth2LoginSessions({ sid: sidOf(tokens) })).status).toBe(204);
      expect([await skips(one), await skips(other)]).toEqual([false, true]);
      await receiver.until(1);
      await untilDelivered(instance.adapter);
      expect(receiver.sids()).toEqual([sidOf(tokens)]);
      expect((await refresh(instance, app, tokens.refresh_token)).status).toBe(200);
    });

    test('subject ends all sessions of this user and notifies their clients', async () => {
      const browsers = Array.from({ length: 103 }, () => createBrowser());
      const sids: string[] = [];
      for (const browser of browsers)
        sids.push(sidOf(await login(instance, app, { subject, browser, login: remember })));
      const stranger = createBrowser();
      await login(instance, app, { subject: `${subject}!`, browser: stranger, login: remember });
      expect((await sdk.revokeOAuth2LoginSessions({ subject })).status).toBe(204);
      await receiver.until(sids.length);
      await untilDelivered(instance.adapter);
      expect(receiver.sids().toSorted()).toEqual(sids.toSorted());
      for (const browser of browsers.slice(0, 3)) expect(await skips(browser)).toBe(false);
      expect(await skips(stranger)).toBe(true);
    });

    test('of nobody, of an unknown sid, or twice: 204', async () => {
      expect((await call('DELETE', 'login?subject=nobody-at-all')).status).toBe(204);
      expect((await call('DELETE', 'login?sid=unknown')).status).toBe(204);
      const tokens = await login(instance, app, { subject, login: remember });
      for (let i = 0; i < 2; i++) expect((await call('DELETE', `login?sid=${sidOf(tokens)}`)).status).toBe(204);
      await receiver.until(1);
      await untilDelivered(instance.adapter);
      expect(receiver.received).toHaveLength(1);
    });

    test('a request without subject and sid gets 400', async () => {
      expect(await call('DELETE', 'login')).toMatchObject(refusal('invalid_request'));
    });
  });

  test.each([
    ['GET', 'consent', {}],
    ['DELETE', 'consent', { all: 'true' }],
    ['DELETE', 'login', {}],
  ])('%s sessions/%s refuses a subject that begins or ends with white space', async (method, path, more) => {
    const body = { error: 'invalid_request', error_description: expect.stringContaining('white space') };
    for (const subject of ['alice\u00a0', ' alice'])
      expect(await call(method, `${path}?${query({ subject, ...more })}`)).toMatchObject({ status: 400, body });
  });

  describe('GET sessions/consent', () => {
    test('shows what a person has granted, as the SDK knows it', async () => {
      const flow = await walk(instance, app, {
        subject,
        login: { acr: 'gold', amr: ['pwd'], context: { from: 'the login app' } },
        params: {
          scope: 'openid profile email',
          audience: 'https://api.test',
          login_hint: 'alice@app.test',
          ui_locales: 'de en',
        },
        consent: {
          grant_scope: ['openid', 'profile'],
          grant_access_token_audience: ['https://api.test'],
          session: { id_token: { name: 'A' }, access_token: { tier: 1 } },
          context: { note: 'x' },
          remember: true,
          remember_for: 600,
        },
      });
      const asked = await headless(instance, 'GET', `consent?consent_challenge=${flow.consentChallenge}`);
      const { body: tokens } = await redeem(instance, app, locationOf(await flow.browser.get(flow.consentUrl)));
      const { data, status } = await sdk.listOAuth2ConsentSessions({ subject });
      const { consent_request: request, ...item } = data[0] as unknown as Json & { consent_request: Json };
      expect([status, data.length]).toEqual([200, 1]);
      expect(unknownMembers('OAuth2ConsentSession', data[0] ?? {})).toEqual([]);
      expect(unknownMembers('OAuth2ConsentRequest', request)).toEqual([]);
      expect(item).toEqual({
        consent_request_id: asked.body.consent_request_id,
        grant_scope: ['openid', 'profile'],
        grant_access_token_audience: ['https://api.test'],
        session: { id_token: { name: 'A' }, access_token: { tier: 1 } },
        remember: true,
        remember_for: 600,
        handled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        context: { note: 'x' },
      });
      expect(request).toMatchObject({
        requested_scope: ['openid', 'profile', 'email'],
        requested_access_token_audience: ['https://api.test'],
        subject,
        skip: false,
        client: { client_id: 'app' },
        login_session_id: sidOf(tokens),
        acr: 'gold',
        amr: ['pwd'],
        request_url: asked.body.request_url,
        oidc_context: { login_hint: 'alice@app.test', ui_locales: ['de', 'en'] },
        login_challenge: asked.body.login_challenge,
        context: { from: 'the login app' },
      });
      expect(request.request_url).toContain('login_hint=alice%40app.test');
      expect(JSON.stringify(data)).not.toContain('client_secret"');
    });

    test('finds by login_session_id', async () => {
      const [tokens] = [await login(instance, app, { subject }), await login(instance, second, { subject })];
      expect(await listed()).toHaveLength(2);
      const found = await listed({ login_session_id: sidOf(tokens) });
      expect(found.map(({ consent_request }) => (consent_request as Json).login_session_id)).toEqual([sidOf(tokens)]);
    });

    test('shows a remembered consent whose code was never redeemed, and no consent twice', async () => {
      const consent = { remember: true };
      await authorize(instance, app, { subject, consent });
      const [only, ...others] = await listed();
      expect([only?.remember, only?.remember_for, others.length]).toEqual([true, 0, 0]);
      await login(instance, second, { subject, consent });
      expect(await listed()).toHaveLength(2);
    });

    test.each([1, 2, 100])('in pages of %d that the Link header joins', async (size) => {
      for (let i = 0; i < 3; i++) await login(instance, app, { subject });
      await authorize(instance, second, { subject, consent: { remember: true } });
      const found: unknown[] = [];
      let next: string | undefined = `consent?${query({ subject, page_size: String(size) })}`;
      while (next !== undefined) {
        const { body, headers } = await call('GET', next);
        expect(body.length).toBeLessThanOrEqual(size);
        found.push(...body.map(({ consent_request_id }: Json) => consent_request_id));
        next = /<\/admin\/oauth2\/auth\/sessions\/([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect([found.length, new Set(found).size]).toEqual([4, 4]);
    });

    test('an unknown subject has none; without one: 400', async () => {
      expect(await listed({ subject: 'nobody-at-all' })).toEqual([]);
      expect((await call('GET', 'consent')).status).toBe(400);
    });

    test('shows the request of a remembered consent whose code was never redeemed', async () => {
      const params = { state: 'state-of-this-request' };
      await authorize(instance, app, { subject, consent: { remember: true }, params });
      const [only] = await listed();
      expect(only?.consent_request).toMatchObject({
        request_url: expect.stringContaining('state=state-of-this-request'),
        login_challenge: expect.stringMatching(/^[0-9a-f]{32}$/),
        requested_scope: ['openid', 'offline_access', 'profile'],
      });
    });

    test('shows all of a remembered consent at once after the consent, and after a code that was redeemed twice', async () => {
      const session = { id_token: { name: 'A' }, access_token: { tier: 1 } };
      const said = { session, context: { note: 'x' }, remember: true, remember_for: 600 };
      const authentication = { acr: 'gold', amr: ['pwd', 'otp'], context: { from: 'the login app' } };
      const end = await authorize(instance, app, { subject, login: authentication, consent: said });
      const expectAll = async () => {
        const [only, ...others] = await listed();
        expect(others).toEqual([]);
        expect(only).toMatchObject({ ...said, consent_request: authentication });
      };
      await expectAll();
      expect((await redeem(instance, app, end)).status).toBe(200);
      await expectAll();
      expect((await redeem(instance, app, end)).body.error).toBe('invalid_grant');
      await expectAll();
    });

    test('shows the claims of id_token_hint, and neither stores nor shows the hint itself', async () => {
      const browser = createBrowser();
      const first = await login(instance, app, { subject, browser, login: remember });
      const hint = String(first.id_token);
      instance.calls.reset();
      await login(instance, app, { subject, browser, params: { id_token_hint: hint } });
      expect(JSON.stringify(instance.calls.commits)).not.toContain(hint);
      const requests = (await listed()).map(({ consent_request }) => consent_request as Json);
      const hinted = requests.filter(({ oidc_context }) => 'id_token_hint_claims' in (oidc_context as Json));
      expect(hinted).toHaveLength(1);
      expect(hinted[0]?.oidc_context).toMatchObject({ id_token_hint_claims: { sub: subject, iss: instance.issuer } });
      expect(JSON.stringify(requests)).not.toContain(hint);
    });

    test('a login that asks for nothing special stores the request beside the grant, and nothing else for the list', async () => {
      instance.calls.reset();
      await login(instance, app, { subject });
      const puts = instance.calls.commits.flat().flatMap((write) => (write.type === 'put' ? [write.record] : []));
      const grant = JSON.parse(puts.find(({ kind }) => kind === 'grant')?.payload ?? '{}');
      const names = ['audience', 'authTime', 'handledAt', 'registration', 'request', 'scope', 'sid'];
      expect(Object.keys(grant).toSorted()).toEqual(names);
      expect(Object.keys(grant.request).toSorted()).toEqual(['loginChallenge', 'params']);
    });
  });

  describe('DELETE sessions/consent', () => {
    const consents = async () => {
      const consent = { remember: true };
      const browser = createBrowser();
      const options = { subject, browser, consent, login: remember };
      const tokens = [await login(instance, app, options), await login(instance, app, options)];
      const others = await login(instance, second, options);
      return { browser, tokens, others };
    };
    const skipsConsent = async (browser: ReturnType<typeof createBrowser>, client: TestClient) =>
      (await askConsent(instance, client, { subject, browser })).skip;

    test('subject and client revoke their tokens, and the next request asks again', async () => {
      const { browser, tokens, others } = await consents();
      expect(await skipsConsent(browser, app)).toBe(true);
      expect((await sdk.revokeOAuth2ConsentSessions({ subject, client: app.id })).status).toBe(204);
      for (const each of tokens) expect(await isActive(each)).toBe(false);
      expect((await refresh(instance, app, tokens[0]?.refresh_token)).body.error).toBe('invalid_grant');
      expect(await isActive(others)).toBe(true);
      expect([await skipsConsent(browser, app), await skipsConsent(browser, second)]).toEqual([false, true]);
      expect(await listed()).toHaveLength(1);
    });

    test('subject and all revoke every consent of the subject', async () => {
      const { browser, tokens, others } = await consents();
      expect((await sdk.revokeOAuth2ConsentSessions({ subject, all: true })).status).toBe(204);
      for (const each of [...tokens, others]) expect(await isActive(each)).toBe(false);
      expect([await skipsConsent(browser, app), await skipsConsent(browser, second)]).toEqual([false, false]);
      expect(await listed()).toEqual([]);
    });

    test('consent_request_id revokes the tokens of this consent alone', async () => {
      const { browser, tokens } = await consents();
      const ofApp = (item: Json) => ((item.consent_request as Json).client as Json).client_id === app.id;
      const [first, ...others] = (await listed({ login_session_id: sidOf(tokens[0] as Json) })).filter(ofApp);
      expect(others).toHaveLength(1);
      const { status } = await sdk.revokeOAuth2ConsentSessions({ consentRequestId: String(first?.consent_request_id) });
      expect([status, (await listed()).length]).toEqual([204, 2]);
      expect(await skipsConsent(browser, second)).toBe(true);
    });

    test('consent_request_id deletes the remembered consent, also when its tokens have expired', async () => {
      const browser = createBrowser();
      await authorize(instance, app, { subject, browser, login: remember, consent: { remember: true } });
      expect(await skipsConsent(browser, app)).toBe(true);
      const [only] = await listed();
      await sdk.revokeOAuth2ConsentSessions({ consentRequestId: String(only?.consent_request_id) });
      expect(await skipsConsent(browser, app)).toBe(false);
      expect(await listed()).toEqual([]);
    });

    test('a code that is still on its way redeems no more', async () => {
      const end = await authorize(instance, app, { subject, consent: { remember: true } });
      const [only] = await listed();
      await sdk.revokeOAuth2ConsentSessions({ consentRequestId: String(only?.consent_request_id) });
      expect((await redeem(instance, app, end)).body.error).toBe('invalid_grant');
    });

    test('more grants than a commit takes', async () => {
      const tokens: Json[] = [];
      for (let i = 0; i < 120; i++) tokens.push(await login(instance, app, { subject }));
      instance.calls.reset();
      await sdk.revokeOAuth2ConsentSessions({ subject, client: app.id });
      expect(Math.max(...instance.calls.commits.map((writes) => writes.length))).toBeLessThanOrEqual(102);
      for (const each of tokens) expect(await isActive(each)).toBe(false);
    });

    test.each([
      '',
      '?subject=a',
      '?client=app',
      '?all=true',
      '?subject=a&client=app&all=true',
      '?subject=a&consent_request_id=0123456789abcdef0123456789abcdef',
    ])('400 for "%s"', async (params) => {
      const error_description =
        'Select consents by subject and client, by subject and all, or by consent request id alone.';
      expect(await call('DELETE', `consent${params}`)).toMatchObject({ status: 400, body: { error_description } });
    });

    test.each(['subject=nobody-at-all&client=app', 'subject=nobody-at-all&all=true', 'consent_request_id=0123'])(
      '204 where there is nothing: %s',
      async (params) => {
        expect((await call('DELETE', `consent?${params}`)).status).toBe(204);
      },
    );
  });
});
