import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { introspect, redeem } from '../login.ts';
import { api, expectClient, startLoginApp } from './login-app.ts';
import { refusal, unknownMembers } from './sdk.ts';

describe('@ory/hydra-client at the consent', () => {
  const app = beforeTests(startLoginApp);

  const accept = async (consentChallenge: string, accepted: object) => {
    const acceptOAuth2ConsentRequest = accepted as never;
    return (await app.sdk.acceptOAuth2ConsentRequest({ consentChallenge, acceptOAuth2ConsentRequest })).data;
  };

  test('the SDK receives the request, the login, and no member that it does not know', async () => {
    const context = { department: 'sales', levels: [1, { deep: null }] };
    const params = { audience: api, ui_locales: 'de', login_hint: 'alice' };
    const signedIn = { acr: 'urn:two', amr: ['pwd'], context };
    const { login: request, consentChallenge } = await app.atConsent(createBrowser(), signedIn, params);
    const { data } = await app.sdk.getOAuth2ConsentRequest({ consentChallenge });
    expect(unknownMembers('OAuth2ConsentRequest', data)).toEqual([]);
    expectClient(data.client);
    expect(data).toEqual({
      challenge: consentChallenge,
      client: data.client,
      consent_request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      requested_scope: ['openid', 'offline_access', 'profile'],
      requested_access_token_audience: [api],
      skip: false,
      subject: 'alice',
      oidc_context: { ui_locales: ['de'], login_hint: 'alice' },
      request_url: request.request_url,
      login_challenge: expect.stringMatching(/^[0-9a-f]{32}$/),
      login_session_id: request.session_id,
      acr: 'urn:two',
      amr: ['pwd'],
      context,
    });
  });

  test('has empty values for what the login did not say', async () => {
    const { consentChallenge } = await app.atConsent(createBrowser(), {});
    const { data } = await app.sdk.getOAuth2ConsentRequest({ consentChallenge });
    expect(data).toMatchObject({ acr: '', amr: [], context: {}, oidc_context: {} });
  });

  test('accepted with every field: scopes, audience and session reach the tokens', async () => {
    const browser = createBrowser();
    const { consentChallenge } = await app.atConsent(browser, {}, { audience: api });
    const data = await accept(consentChallenge, {
      grant_scope: ['openid', 'email'],
      grant_access_token_audience: [api],
      session: { access_token: { tenant: 'acme', roles: ['admin'] }, id_token: { email: 'alice@app.test' } },
      remember: true,
      remember_for: 600,
      context: { kept: true },
      // Old SDKs send it.
      handled_at: '2020-01-01T00:00:00Z',
    });
    expect(unknownMembers('OAuth2RedirectTo', data)).toEqual([]);
    const { searchParams } = locationOf(await browser.get(data.redirect_to));
    expect(searchParams.get('scope')).toBe('openid email');
    const { body } = await redeem(app.instance, app.client, searchParams.get('code') ?? '');
    expect(body).toMatchObject({ scope: 'openid email' });
    // It was granted without offline_access.
    expect(body).not.toHaveProperty('refresh_token');
    expect(decodeJwt(String(body.id_token))).toMatchObject({ email: 'alice@app.test' });
    expect(await introspect(app.instance, body.access_token)).toMatchObject({
      scope: 'openid email',
      aud: [api],
      ext: { tenant: 'acme', roles: ['admin'] },
    });
  });

  test('takes [null] for nothing granted, as the reference app sends it when the user ticks no box', async () => {
    const browser = createBrowser();
    const endOf = async (grant_scope: readonly unknown[]) => {
      const { consentChallenge } = await app.atConsent(browser, {});
      const data = await accept(consentChallenge, { grant_scope, grant_access_token_audience: [null] });
      return locationOf(await browser.get(data.redirect_to)).searchParams;
    };
    expect((await endOf([null])).get('error')).toBe('access_denied');
    expect((await endOf(['openid'])).get('scope')).toBe('openid');
  });

  test.each([
    ['a scope the client is not registered for', { grant_scope: ['openid', 'admin'] }, 'grant_scope'],
    ['an audience it is not registered for', { grant_access_token_audience: ['https://x.test'] }, 'audience'],
    ['a session that is no object', { session: { id_token: 'x' } }, 'session.id_token'],
  ])('refuses %s', async (_what, accepted, description) => {
    const { consentChallenge } = await app.atConsent(createBrowser(), {});
    expect(await refusal(accept(consentChallenge, accepted))).toMatchObject({
      status: 400,
      data: { error: 'invalid_request', error_description: expect.stringContaining(description) },
    });
  });

  test('rejected: the client is told, and a login challenge is no consent challenge', async () => {
    const browser = createBrowser();
    const { consentChallenge } = await app.atConsent(browser, {});
    const { data } = await app.sdk.rejectOAuth2ConsentRequest({
      consentChallenge,
      rejectOAuth2Request: { error: 'access_denied', error_hint: 'Ask again.' },
    });
    const { searchParams } = locationOf(await browser.get(data.redirect_to));
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual(['access_denied', 'Ask again.']);
    const loginChallenge = await app.atLogin(createBrowser());
    expect((await refusal(app.sdk.getOAuth2ConsentRequest({ consentChallenge: loginChallenge }))).status).toBe(404);
  });
});
