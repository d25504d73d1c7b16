import { describe, expect, it } from 'vitest';
import { createBrowser } from '../../provider/test/browser.ts';
import { call, sendJson, userinfo } from '../../provider/test/call.ts';
import {
  acceptConsent,
  acceptLogin,
  authorizationUrl,
  begin,
  challengeIn,
  codeFor,
  headless,
  introspect,
  login,
  redeem,
  refresh,
} from '../../provider/test/login.ts';
import { client, openInstallation, openStores } from './open-installation.ts';

const stores = openStores();

/** The first issuer and two others: one at another host, one below the path of the first. */
const openThree = async (store: keyof typeof stores) => {
  const installation = await openInstallation({
    config: { storage: { default: await stores[store]() } },
    issuersAt: (port) => ({
      acme: { issuer: `http://localhost:${port}` },
      shop: { issuer: `http://127.0.0.1:${port}/shop` },
    }),
  });
  const names = [undefined, 'acme', 'shop'];
  for (const name of names) await installation.register(name);
  /** Every pair of different issuers. */
  const pairs = names.flatMap((own) => names.filter((other) => other !== own).map((other) => [own, other] as const));
  return { ...installation, names, pairs };
};

describe.each(['sqlite', 'postgres'] as const)('three issuers by host and by path on %s', (store) => {
  it('have a whole login each, by documents, tokens and keys with their own URLs', async () => {
    const { at, names } = await openThree(store);
    const kids: string[] = [];
    for (const name of names) {
      const { issuer } = at(name);
      const { body } = await call(`${issuer}/.well-known/openid-configuration`);
      expect(body).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth2/token` });
      const tokens = await login(at(name), client);
      expect(await introspect(at(name), tokens.access_token)).toMatchObject({ active: true, iss: issuer });
      expect(await userinfo(at(name), tokens.access_token)).toMatchObject({ status: 200, body: { sub: 'alice' } });
      const { keys } = (await call(`${issuer}/.well-known/jwks.json`)).body as { keys: { kid: string }[] };
      kids.push(...keys.map(({ kid }) => kid));
    }
    expect(new Set(kids).size).toBe(kids.length);
  });

  it('answer at the metadata URLs of an issuer with a path (RFC 8414)', async () => {
    const { at, origin } = await openThree(store);
    for (const document of ['openid-configuration', 'oauth-authorization-server']) {
      expect((await call(`${origin}/.well-known/${document}/shop`)).body).toMatchObject({ issuer: at('shop').issuer });
      expect((await call(`${origin}/.well-known/${document}`)).body).toMatchObject({ issuer: origin });
      expect(await call(`${at('acme').issuer}/.well-known/${document}/shop`)).toMatchObject({ status: 404 });
    }
  });

  it('refuse the tokens, the codes and the refresh tokens of one another', async () => {
    const { at, pairs } = await openThree(store);
    for (const [own, other] of pairs) {
      const tokens = await login(at(own), client);
      expect(await introspect(at(other), tokens.access_token)).toEqual({ active: false });
      expect(await userinfo(at(other), tokens.access_token)).toMatchObject({ status: 401 });
      expect(await refresh(at(other), client, tokens.refresh_token)).toMatchObject({
        body: { error: 'invalid_grant' },
      });
      const code = await codeFor(at(own), client);
      expect(await redeem(at(other), client, code)).toMatchObject({ body: { error: 'invalid_grant' } });
      expect(await redeem(at(own), client, code)).toMatchObject({ status: 200 });
    }
  });

  it('decide no login and no consent of one another, and accept no cookie of another', async () => {
    const { at, pairs } = await openThree(store);
    for (const [own, other] of pairs) {
      const browser = createBrowser();
      const challenge = await begin(browser, authorizationUrl(at(own), client));
      const foreign = `login/accept?login_challenge=${challenge}`;
      expect(await headless(at(other), 'PUT', foreign, { subject: 'mallory' })).toMatchObject({ status: 404 });
      expect(await headless(at(other), 'GET', `login?login_challenge=${challenge}`)).toMatchObject({ status: 404 });
      const toConsent = await acceptLogin(at(own), challenge, { subject: 'alice', remember: true, remember_for: 600 });
      const atOther = new URL(toConsent);
      const refused = await browser.get(`${at(other).issuer}/oauth2/auth${atOther.search}`);
      expect(refused.headers.get('location') ?? '').not.toMatch(/consent_challenge|code=/);
      const consent = challengeIn(await browser.get(toConsent), 'consent');
      expect(await headless(at(other), 'PUT', `consent/accept?consent_challenge=${consent}`, {})).toMatchObject({
        status: 404,
      });
      await browser.get(await acceptConsent(at(own), consent));
      // The browser has a remembered login at one issuer. At the other the user is asked again.
      for (const [name, asked] of [
        [own, { skip: true, subject: 'alice' }],
        [other, { skip: false, subject: '' }],
      ] as const) {
        const next = await begin(browser, authorizationUrl(at(name), client));
        expect((await headless(at(name), 'GET', `login?login_challenge=${next}`)).body).toMatchObject(asked);
      }
    }
  });

  it('list and revoke no session, consent or client of one another', async () => {
    const { at, pairs, admin } = await openThree(store);
    for (const [own, other] of pairs) {
      const tokens = await login(at(own), client, {
        login: { remember: true, remember_for: 600 },
        consent: { remember: true, remember_for: 600 },
      });
      const sessions = '/admin/oauth2/auth/sessions';
      const listed = (name?: string) => call(`${at(name).admin}${sessions}/consent?subject=alice`);
      expect((await listed(own)).body).toHaveLength(1);
      expect((await listed(other)).body).toEqual([]);
      for (const kind of ['login', 'consent?all=true&'])
        await call(`${at(other).admin}${sessions}/${kind}${kind.includes('?') ? '' : '?'}subject=alice`, {
          method: 'DELETE',
        });
      expect(await introspect(at(own), tokens.access_token)).toMatchObject({ active: true });
      const only = { client_id: `only-${own ?? 'first'}`, redirect_uris: ['https://app.test/callback'] };
      await sendJson('POST', `${at(own).admin}/admin/clients`, only);
      expect(await call(`${at(other).admin}/admin/clients/${only.client_id}`)).toMatchObject({ status: 404 });
      expect(await call(`${at(own).admin}/admin/clients/${only.client_id}`)).toMatchObject({ status: 200 });
      await call(`${at(own).admin}/admin/clients/${only.client_id}`, { method: 'DELETE' });
      await call(`${at(own).admin}${sessions}/consent?all=true&subject=alice`, { method: 'DELETE' });
    }
    expect(await call(`${admin}/issuers/nobody/admin/clients`)).toMatchObject({ status: 404 });
  });
});
