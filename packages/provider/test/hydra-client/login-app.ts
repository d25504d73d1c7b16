import type { OAuth2Client } from '@ory/hydra-client';
import { expect } from 'vitest';
import type { Browser } from '../browser.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { authorizationUrl, begin, challengeIn } from '../login.ts';
import { createSdk, unknownMembers } from './sdk.ts';

export const api = 'https://api.test';
export const goodbye = 'https://app.test/goodbye';

/** A login, consent and logout app that Ory's own SDK was made for, and the client it is asked about. */
export const startLoginApp = async (now: () => number = Date.now) => {
  const urls = { login: 'http://login.test/login', consent: 'http://login.test/consent' };
  const instance = await start({ now, config: { urls: { ...urls, logout: 'http://login.test/logout' } } });
  const client = await registerClient(instance, 'app', {
    client_name: 'The app',
    audience: [api],
    metadata: { color: 'green' },
    skip_consent: true,
    post_logout_redirect_uris: [goodbye],
  });
  return createLoginApp(instance, client);
};

const createLoginApp = (instance: Instance, client: TestClient) => {
  const sdk = createSdk(instance).oauth2;
  const atLogin = async (browser: Browser, params: Record<string, string> = {}): Promise<string> =>
    begin(browser, authorizationUrl(instance, client, params));
  return {
    instance,
    client,
    sdk,
    stop: instance.stop,
    /** To the login page: its challenge. */
    atLogin,
    /** Through the login page to the consent page. */
    atConsent: async (browser: Browser, body: object = {}, params: Record<string, string> = {}) => {
      const loginChallenge = await atLogin(browser, params);
      const { data } = await sdk.acceptOAuth2LoginRequest({
        loginChallenge,
        acceptOAuth2LoginRequest: { subject: 'alice', ...body },
      });
      expect(unknownMembers('OAuth2RedirectTo', data)).toEqual([]);
      const { data: request } = await sdk.getOAuth2LoginRequest({ loginChallenge });
      return { login: request, consentChallenge: challengeIn(await browser.get(data.redirect_to), 'consent') };
    },
  };
};

/** The client as it is shown to the app: whole, but for its secret. */
export const expectClient = (shown: OAuth2Client | undefined): void => {
  expect(shown).toMatchObject({
    client_id: 'app',
    client_name: 'The app',
    metadata: { color: 'green' },
    skip_consent: true,
    scope: 'openid offline_access profile email',
    audience: [api],
  });
  for (const secret of ['client_secret', 'secrets', 'registration_access_token']) {
    expect(shown).not.toHaveProperty(secret);
  }
};
