import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { type Browser, createBrowser, locationOf } from '../browser.ts';
import { bearerOf } from '../call.ts';
import { type CarnetTarget, startCarnet } from '../carnet-target.ts';
import { basicOf, type TestClient } from '../clients.ts';
import { outage } from '../faults.ts';
import { secretsIn } from '../leaks.ts';
import { acceptConsent, acceptLogin, authorizationUrl, begin, headless, logIn, login, redeem } from '../login.ts';
import { type RawAnswer, rawForm, rawRequest } from '../raw-request.ts';
import { clients } from '../threat-target.ts';

/** Threats D13 and D14: what every answer says to browsers, and how sealed things are opened. */

const { app } = clients;
type Target = CarnetTarget;
const get =
  (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  ({ issuer }: Target) =>
    rawRequest(issuer + path, { method, headers });
const getAdmin =
  (path: string, headers: Readonly<Record<string, string>> = {}) =>
  ({ instance }: Target) =>
    rawRequest(instance.admin + path, { headers });
const authorization =
  (params?: Readonly<Record<string, string>>, client: TestClient = app) =>
  (carnet: Target) =>
    rawRequest(authorizationUrl(carnet, client, params));
const postToken =
  (form: Readonly<Record<string, string>>, headers = {}) =>
  ({ issuer }: Target) =>
    rawForm(`${issuer}/oauth2/token`, new URLSearchParams(form), headers);
const failing =
  (error?: Error) =>
  (carnet: Target): Promise<RawAnswer> => {
    carnet.faults.failNext('read', error);
    return authorization({}, { id: 'nobody' })(carnet);
  };
/** A visit with the cookies of the steps that lead to a URL. */
const visiting =
  (url: (carnet: Target, browser: Browser) => Promise<string>) =>
  async (carnet: Target): Promise<RawAnswer> => {
    const browser = createBrowser();
    const end = await url(carnet, browser);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return rawRequest(end, { headers: { cookie } });
  };

/** An answer of every kind: its status, and how to come by it. */
const answers: Readonly<Record<string, [number, (carnet: Target) => Promise<RawAnswer>]>> = {
  'redirect to the login page': [302, authorization()],
  'redirect to the consent page': [
    302,
    visiting(async (carnet, browser) => {
      const challenge = await begin(browser, authorizationUrl(carnet, app));
      return acceptLogin(carnet.instance, challenge, { subject: 'alice' });
    }),
  ],
  'redirect to the client with a code': [303, visiting((carnet, browser) => carnet.lastStep(app, { browser }))],
  'form that posts a code to the client': [
    200,
    visiting(async ({ instance }, browser) => {
      const params = { response_mode: 'form_post' };
      return acceptConsent(instance, await logIn(instance, app, { browser, params }));
    }),
  ],
  'redirect to the client with an error': [303, authorization({ prompt: 'none' })],
  'redirect to the error page': [302, authorization({}, { id: 'nobody' })],
  'page for an invalid link': [400, get('/oauth2/auth?login_verifier=x')],
  'page for another browser': [
    403,
    async (carnet) => {
      const { id_token: hint } = await login(carnet.instance, app);
      const params = { id_token_hint: String(hint), login_hint: 'alice@app.test' };
      const challenge = await begin(createBrowser(), authorizationUrl(carnet, app, params));
      return rawRequest(await acceptLogin(carnet.instance, challenge, { subject: 'alice' }));
    },
  ],
  'page for a query that is too long': [414, authorization({ state: 's'.repeat(14_000) })],
  'redirect to the logout page': [
    302,
    visiting(async (carnet, browser) => {
      await carnet.authorize(app, { browser });
      return `${carnet.issuer}/oauth2/sessions/logout`;
    }),
  ],
  'logged out page': [200, get('/oauth2/sessions/logout')],
  'page for a bad logout': [400, get('/oauth2/sessions/logout?logout_verifier=x')],
  'token error': [400, postToken({})],
  'token error 401': [401, postToken({ client_id: 'nobody', grant_type: 'client_credentials' })],
  'token answer': [200, postToken({ grant_type: 'client_credentials' }, basicOf(app))],
  discovery: [200, get('/.well-known/openid-configuration')],
  'authorization server metadata': [200, get('/.well-known/oauth-authorization-server')],
  jwks: [200, get('/.well-known/jwks.json')],
  'userinfo without a token': [401, get('/userinfo')],
  'userinfo with a bad token': [401, get('/userinfo', { authorization: 'Bearer nothing' })],
  userinfo: [
    200,
    async (carnet) => get('/userinfo', bearerOf((await login(carnet.instance, app)).access_token))(carnet),
  ],
  'CORS preflight': [
    204,
    get('/userinfo', { origin: 'https://app.test', 'access-control-request-method': 'GET' }, 'OPTIONS'),
  ],
  'unknown path': [404, get('/nothing')],
  'unknown path below oauth2': [404, get('/oauth2/nothing')],
  'wrong method': [405, get('/oauth2/token')],
  'foreign host': [421, get('/userinfo', { host: 'evil.test' })],
  outage: [503, failing()],
  'bug of our own': [500, failing(new TypeError(outage))],
  'admin answer': [200, getAdmin('/admin/clients/app')],
  'admin error 400': [400, getAdmin('/admin/oauth2/auth/requests/login')],
  'admin error 404': [404, getAdmin('/admin/oauth2/auth/requests/login?login_challenge=x')],
  'admin error 405': [405, getAdmin('/admin/oauth2/introspect')],
  'admin error 421': [421, getAdmin('', { host: 'evil.test' })],
  health: [200, getAdmin('/health/alive')],
};

describe('every answer', () => {
  const carnet = beforeTests(() => startCarnet());

  test.each(Object.entries(answers))(
    '%s: not stored, no Referer, not sniffed, not framed',
    { tags: ['D13'] },
    async (name, [expected, ask]) => {
      const { status, headers } = await ask(carnet);
      expect(status).toBe(expected);
      // Public keys are the one thing that may be kept, and no longer than a new one takes before it signs.
      expect(headers['cache-control']).toContain(name === 'jwks' ? 'max-age=60' : 'no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers).not.toHaveProperty('x-powered-by');
    },
  );

  test.each(Object.entries(answers).filter(([, [status]]) => status >= 400))(
    '%s: says nothing secret, nor what is inside',
    { tags: ['D13'] },
    async (_name, [, ask]) => {
      const { text, headers } = await ask(carnet);
      expect(secretsIn(text).filter((kind) => kind !== 'query of a request')).toEqual([]);
      expect(secretsIn(String(headers['www-authenticate']))).toEqual([]);
      for (const inside of ['alice', ...outage.split(/[ ,]+/), 'TypeError', '.ts:', 'node_modules'])
        expect(text).not.toContain(inside);
    },
  );

  test('the log of all of them holds nothing secret', { tags: ['D13'] }, () => {
    expect(carnet.instance.log()).toContain('"request"');
    expect(secretsIn(carnet.instance.log())).toEqual([]);
  });
});

/** The same JWE with its tag cut to so many bytes. */
const cutTag = (token: string, bytes: number): string => {
  const end = token.lastIndexOf('.') + 1;
  return token.slice(0, end) + Buffer.from(token.slice(end), 'base64url').subarray(0, bytes).toString('base64url');
};

describe.each([15, 12, 8, 4, 1, 0])('a tag of %i bytes', (bytes) => {
  const carnet = beforeTests(() => startCarnet());

  test('a changed tag of a challenge is refused like a foreign token', { tags: ['D14'] }, async () => {
    const challenge = await begin(createBrowser(), authorizationUrl(carnet, app));
    const get = (text: string) => headless(carnet.instance, 'GET', `login?login_challenge=${text}`);
    expect((await get(challenge)).status).toBe(200);
    const [cut, garbage] = [await get(cutTag(challenge, bytes)), await get('garbage')];
    expect([cut.status, cut.text]).toEqual([404, garbage.text]);
  });

  test('a changed tag of a verifier is refused like a foreign token', { tags: ['D14'] }, async () => {
    const browser = createBrowser();
    const url = new URL(await carnet.lastStep(app, { browser }));
    const verifier = url.searchParams.get('consent_verifier') ?? '';
    const at = (text: string) => browser.get(`${carnet.issuer}/oauth2/auth?consent_verifier=${text}`);
    const [cut, garbage] = [await at(cutTag(verifier, bytes)), await at('garbage')];
    expect([cut.status, await cut.text()]).toEqual([400, await garbage.text()]);
    expect(locationOf(await at(verifier)).searchParams.has('code')).toBe(true);
  });

  test('a changed tag of an authorization code is refused, and the code stays valid', { tags: ['D14'] }, async () => {
    const code = (await carnet.authorize(app)).searchParams.get('code') ?? '';
    const { status, body } = await redeem(carnet, app, cutTag(code, bytes));
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    expect((await redeem(carnet, app, code)).status).toBe(200);
  });
});
