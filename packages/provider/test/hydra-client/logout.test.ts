import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { login } from '../login.ts';
import { logoutUrl } from '../sign-out.ts';
import { expectClient, goodbye, startLoginApp } from './login-app.ts';
import { unknownMembers } from './sdk.ts';

describe('@ory/hydra-client at the logout', () => {
  const app = beforeTests(startLoginApp);

  const atLogout = async () => {
    const browser = createBrowser();
    const { id_token } = await login(app.instance, app.client, { browser, login: { remember: true } });
    const query = { id_token_hint: String(id_token), post_logout_redirect_uri: goodbye };
    const asked = locationOf(await browser.get(logoutUrl(app.instance, query)));
    return { browser, id_token, logoutChallenge: asked.searchParams.get('logout_challenge') ?? '' };
  };

  test('the SDK receives the user who logs out, and completes the logout', async () => {
    const { browser, id_token, logoutChallenge } = await atLogout();
    const { data } = await app.sdk.getOAuth2LogoutRequest({ logoutChallenge });
    expect(unknownMembers('OAuth2LogoutRequest', data)).toEqual([]);
    expectClient(data.client as never);
    expect(data).toEqual({
      challenge: logoutChallenge,
      client: data.client,
      subject: 'alice',
      sid: decodeJwt(String(id_token)).sid,
      request_url: expect.stringMatching(/^\/oauth2\/sessions\/logout/),
      rp_initiated: true,
      requested_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(Date.parse(String(data.expires_at))).toBeGreaterThan(Date.parse(String(data.requested_at)));
    const accepted = await app.sdk.acceptOAuth2LogoutRequest({ logoutChallenge });
    expect(unknownMembers('OAuth2RedirectTo', accepted.data)).toEqual([]);
    expect(accepted.data.redirect_to).toMatch(/\/oauth2\/sessions\/logout\?logout_verifier=/);
    expect(locationOf(await browser.get(accepted.data.redirect_to)).href).toBe(goodbye);
  });

  test('rejected: 204, and nothing has happened', async () => {
    const { logoutChallenge, browser } = await atLogout();
    expect((await app.sdk.rejectOAuth2LogoutRequest({ logoutChallenge })).status).toBe(204);
    const { data } = await app.sdk.getOAuth2LoginRequest({ loginChallenge: await app.atLogin(browser) });
    expect(data.skip).toBe(true);
  });
});
