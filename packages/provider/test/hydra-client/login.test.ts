import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { sessionKey } from '../../src/sessions/session-record.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { call } from '../call.ts';
import { login, redeem } from '../login.ts';
import { api, expectClient, startLoginApp } from './login-app.ts';
import { refusal, unknownMembers } from './sdk.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('@ory/hydra-client at the login', () => {
  let offsetMs = 0;
  const app = beforeTests(() => startLoginApp(() => Date.now() + offsetMs));

  test('the SDK receives the whole request, and no member that it does not know', async () => {
    const hint = String((await login(app.instance, app.client)).id_token);
    const context = { acr_values: 'urn:two urn:one', ui_locales: 'de en', display: 'page', login_hint: 'alice' };
    const challenge = await app.atLogin(createBrowser(), { ...context, id_token_hint: hint, audience: api });
    const { status, data, headers } = await app.sdk.getOAuth2LoginRequest({ loginChallenge: challenge });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, no-cache, no-store, must-revalidate');
    expect(unknownMembers('OAuth2LoginRequest', data)).toEqual([]);
    expect(unknownMembers('OAuth2ConsentRequestOpenIDConnectContext', data.oidc_context ?? {})).toEqual([]);
    expectClient(data.client);
    expect(data).toEqual({
      challenge,
      client: data.client,
      requested_scope: ['openid', 'offline_access', 'profile'],
      requested_access_token_audience: [api],
      skip: false,
      subject: '',
      session_id: expect.stringMatching(uuid),
      request_url: expect.stringContaining(`${app.instance.issuer}/oauth2/auth?`),
      oidc_context: {
        acr_values: ['urn:two', 'urn:one'],
        ui_locales: ['de', 'en'],
        display: 'page',
        login_hint: 'alice',
        id_token_hint_claims: decodeJwt(hint),
      },
    });
    const again = new URL(data.request_url).searchParams;
    expect([again.get('client_id'), again.get('login_hint')]).toEqual(['app', 'alice']);
  });

  test('has an empty context and no audience when nothing was said', async () => {
    const { data } = await app.sdk.getOAuth2LoginRequest({ loginChallenge: await app.atLogin(createBrowser()) });
    expect(data).toMatchObject({ oidc_context: {}, requested_access_token_audience: [] });
  });

  test('accepted with every field: acr, amr and sid reach the ID token, the session lasts remember_for', async () => {
    const browser = createBrowser();
    const { login: request, consentChallenge } = await app.atConsent(browser, {
      remember: true,
      remember_for: 900,
      acr: 'urn:two',
      amr: ['pwd', 'otp'],
      identity_provider_session_id: 'idp-session-1',
      context: { department: 'sales' },
      extend_session_lifespan: false,
    });
    const accepted = { consentChallenge, acceptOAuth2ConsentRequest: { grant_scope: ['openid'] } };
    const { data } = await app.sdk.acceptOAuth2ConsentRequest(accepted);
    const end = await browser.get(data.redirect_to);
    const [session] = await app.instance.adapter.read([sessionKey(String(request.session_id))]);
    const left = ((session?.expiresAt?.getTime() ?? 0) - Date.now()) / 1000;
    expect(left).toBeGreaterThan(880);
    expect(left).toBeLessThanOrEqual(900);
    const { body } = await redeem(app.instance, app.client, locationOf(end));
    const authentication = { acr: 'urn:two', amr: ['pwd', 'otp'], sid: request.session_id };
    expect(decodeJwt(String(body.id_token))).toMatchObject({ sub: 'alice', ...authentication });
  });

  test('rejected: the client is told', async () => {
    const browser = createBrowser();
    const { data } = await app.sdk.rejectOAuth2LoginRequest({
      loginChallenge: await app.atLogin(browser, { state: 'mine-and-long' }),
      rejectOAuth2Request: { error: 'access_denied', error_description: 'No.', status_code: 403, error_debug: 'x' },
    });
    expect(unknownMembers('OAuth2RedirectTo', data)).toEqual([]);
    const { searchParams } = locationOf(await browser.get(data.redirect_to));
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'No.',
      state: 'mine-and-long',
      iss: app.instance.issuer,
    });
  });

  test.each([
    ['an empty subject', { subject: '' }, "Field 'subject' must not be empty."],
    ['a subject that is no text', { subject: 7 }, 'subject'],
    ['a negative remember_for', { subject: 'alice', remember_for: -1 }, 'remember_for'],
    ['a forced subject that is no text', { subject: 'alice', force_subject_identifier: 7 }, 'force_subject'],
  ])('refuses %s', async (_what, body, description) => {
    const sent = { loginChallenge: await app.atLogin(createBrowser()), acceptOAuth2LoginRequest: body as never };
    const refused = await refusal(app.sdk.acceptOAuth2LoginRequest(sent));
    expect(refused).toMatchObject({
      status: 400,
      data: { error: 'invalid_request', error_description: expect.stringContaining(description) },
    });
  });

  test('answers 404 to a challenge that is none, and 410 with where to begin again to one that has expired', async () => {
    const loginChallenge = await app.atLogin(createBrowser(), { login_hint: 'alice' });
    for (const challenge of ['nonsense', loginChallenge.slice(0, -3), `${loginChallenge}x`]) {
      const { status, data } = await refusal(app.sdk.getOAuth2LoginRequest({ loginChallenge: challenge }));
      expect([status, data]).toEqual([404, { error: 'Unable to locate the resource', error_description: '' }]);
    }
    offsetMs = 3_600_000;
    try {
      const { status, data } = await refusal(app.sdk.getOAuth2LoginRequest({ loginChallenge }));
      expect(status).toBe(410);
      expect(new URL(String(data.redirect_to)).searchParams.get('login_hint')).toBe('alice');
    } finally {
      offsetMs = 0;
    }
  });

  describe('an older app', () => {
    const requests = '/oauth2/auth/requests/login';
    const ask = (path: string) => call(app.instance.admin + path);

    test('may leave out the prefix and the name of the challenge, and add a slash', async () => {
      const challenge = await app.atLogin(createBrowser());
      for (const path of [
        `${requests}?login_challenge=${challenge}`,
        `${requests}/?challenge=${challenge}`,
        `/admin${requests}?challenge=${challenge}`,
      ])
        expect((await ask(path)).body.challenge).toBe(challenge);
    });

    test('may send JSON as plain text, with members nobody knows', async () => {
      const url = `${app.instance.admin}${requests}/accept?login_challenge=${await app.atLogin(createBrowser())}`;
      const { status, body } = await call(url, { method: 'PUT', body: '{"subject":"alice","unheard_of":[1]}' });
      expect([status, Object.keys(body)]).toEqual([200, ['redirect_to']]);
    });

    test('the error names the missing parameter', async () => {
      const { status, body } = await ask(requests);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
      expect(body.error_description).toContain('is not defined but should have been.');
    });
  });
});
