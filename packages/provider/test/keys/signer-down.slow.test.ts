import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { listen } from '@carnet/test-servers/listen';
import { beforeEach, describe, expect, it } from 'vitest';
import { bearerGrant, createAssertionIssuer, trust } from '../assertions.ts';
import { registerBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { postForm } from '../call.ts';
import { basicOf, registerClient } from '../clients.ts';
import { deviceConfig, letIn, newCodes } from '../device.ts';
import { start } from '../harness.ts';
import { secretsIn } from '../leaks.ts';
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
  redemptionOf,
} from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { logoutPage, signOut, untilDelivered } from '../sign-out.ts';
import { assertionForm, clientAssertion, dpopProof } from '../signed-requests.ts';
import { createSigningService } from '../signing-service.ts';
import { registrations } from '../threat-target.ts';

const cibaGrant = 'urn:openid:params:grant-type:ciba';
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

type Form = Readonly<Record<string, string>>;

const service = createSigningService();
let challenge: string;

/** Takes the notifications of backchannel requests. */
const notified = beforeTests(() =>
  listen(async (request, response) => {
    challenge = String(JSON.parse(await text(request)).backchannel_challenge);
    response.writeHead(204).end();
  }),
);
const instance = beforeTests(() =>
  start({
    signers: [service.signer],
    config: {
      keys: { idTokenAlg: 'ES256', signerTimeoutMs: 500 },
      tokens: { accessTokenStrategy: 'jwt' },
      urls: { ...deviceConfig.urls, logout: logoutPage, backchannelAuthentication: notified.origin },
      features: {
        device: { pollingIntervalSeconds: 1 },
        ciba: { enabled: true },
        tokenExchange: { enabled: true },
        hybrid: { enabled: true },
      },
      logout: { backchannelRetries: [1, 1, 1, 1, 1, 1, 1, 1], backchannelPollSeconds: 1 },
    },
    hooks: { tokenExchange: () => undefined },
  }),
);
const webGrants = ['authorization_code', 'refresh_token', 'implicit', 'client_credentials'];
const app = registerBeforeTests(instance, 'app', {
  grant_types: [...webGrants, cibaGrant, deviceGrant, exchangeGrant, bearerGrant],
  response_types: ['code', 'code id_token', 'code token', 'code id_token token'],
  scope: 'openid offline_access profile read',
  userinfo_signed_response_alg: 'ES256',
  authorization_signed_response_alg: 'ES256',
  allowed_cors_origins: ['https://app.test'],
});
registerBeforeTests(instance, 'signing', registrations.signing);
beforeEach(() => {
  service.down = false;
});

const post = (form: URLSearchParams | Form, headers: Form = basicOf(app)): Promise<Response> =>
  fetch(`${instance.issuer}/oauth2/token`, { method: 'POST', headers, body: new URLSearchParams(form) });

const newCode = () => codeFor(instance, app);

/** The requests of clients. Each is prepared while the service signs, and can be sent again. */
const requests: Readonly<Record<string, () => Promise<() => Promise<Response>>>> = {
  'a code': async () => {
    const form = redemptionOf(await newCode());
    return () => post(form);
  },
  'a code that the library handler redeems': async () => {
    const form = redemptionOf(await newCode());
    return () => post(form, { ...basicOf(app), origin: 'https://app.test' });
  },
  'a code with a DPoP proof': async () => {
    const form = redemptionOf(await newCode());
    const headers = { ...basicOf(app), dpop: await dpopProof(`${instance.issuer}/oauth2/token`) };
    return () => post(form, headers);
  },
  'a code with a client assertion': async () => {
    const code = await codeFor(instance, { id: 'signing' });
    const form = assertionForm(await clientAssertion(instance.issuer));
    for (const [name, value] of Object.entries(redemptionOf(code))) form.set(name, value);
    return () => post(form, {});
  },
  'a refresh token': async () => {
    const { refresh_token } = await login(instance, app);
    return () => post({ grant_type: 'refresh_token', refresh_token: String(refresh_token) });
  },
  'a refresh token with a DPoP proof': async () => {
    const { refresh_token } = await login(instance, app);
    const headers = { ...basicOf(app), dpop: await dpopProof(`${instance.issuer}/oauth2/token`) };
    return () => post({ grant_type: 'refresh_token', refresh_token: String(refresh_token) }, headers);
  },
  'a device code': async () => {
    const codes = await newCodes(instance, app);
    await letIn(instance, codes);
    return () => post({ grant_type: deviceGrant, device_code: codes.device_code });
  },
  'a backchannel request': async () => {
    const asked = { scope: 'openid', login_hint: 'alice' };
    const { body } = await postForm(`${instance.issuer}/oauth2/bc-authorize`, asked, basicOf(app));
    const decision = { subject: 'alice', grant_scope: ['openid'] };
    await headless(instance, 'PUT', `backchannel/accept?backchannel_challenge=${challenge}`, decision);
    return () => post({ grant_type: cibaGrant, auth_req_id: String(body.auth_req_id) });
  },
  'an exchanged token': async () => {
    const { access_token } = await login(instance, app);
    const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token';
    return () => post({ grant_type: exchangeGrant, subject_token: String(access_token), subject_token_type });
  },
  'an assertion of a trusted issuer': async () => {
    const trusted = await createAssertionIssuer(`https://${Math.random()}.test`);
    expect((await trust(instance, trusted)).status).toBe(201);
    const assertion = await trusted.sign(`${instance.issuer}/oauth2/token`);
    return () => post({ grant_type: bearerGrant, assertion });
  },
  'client credentials': async () => () => post({ grant_type: 'client_credentials' }),
  'client credentials with a client assertion': async () => {
    const form = assertionForm(await clientAssertion(instance.issuer));
    return () => post(form, {});
  },
  'signed userinfo': async () => {
    const { access_token } = await login(instance, app);
    const headers = { authorization: `Bearer ${access_token}` };
    return () => fetch(`${instance.issuer}/userinfo`, { headers });
  },
};

describe('while the signing service does not answer', () => {
  it.each(Object.keys(requests))('%s is not used up: the same request succeeds afterwards', async (name) => {
    const send = await (requests[name] as (typeof requests)[string])();
    service.down = true;
    instance.calls.reset();
    const refused = await send();
    const problem = (await refused.json()) as { readonly error: string };
    expect([refused.status, problem.error]).toEqual([503, 'temporarily_unavailable']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(instance.calls.commits).toEqual([]);
    service.down = false;
    const served = await send();
    expect([served.status, served.status === 200 ? '' : await served.text()]).toEqual([200, '']);
    expect(secretsIn(instance.log())).toEqual([]);
  });

  it('every client under load succeeds when it tries again: no code is used up, and none is redeemed twice', async () => {
    const codes = await Promise.all(Array.from({ length: 24 }, newCode));
    const refused: number[] = [];
    service.down = true;
    const redeemAll = codes.map(async (code) => {
      for (;;) {
        const { status } = await post(redemptionOf(code));
        if (status !== 503) return status;
        refused.push(status);
        // Clients wait for Retry-After. These do not, so that the test is short.
        await delay(50);
      }
    });
    await expect.poll(() => refused.length).toBeGreaterThan(3 * codes.length);
    service.down = false;
    expect(await Promise.all(redeemAll)).toEqual(codes.map(() => 200));
    expect((await post(redemptionOf(codes[0] ?? ''))).status).toBe(400);
  });

  it.each([
    ['a code and an ID token', { response_type: 'code id_token' }],
    ['a code and an access token', { response_type: 'code token' }],
    ['a code, an ID token and an access token', { response_type: 'code id_token token' }],
    ['a JWT response', { response_mode: 'jwt' }],
    ['a JWT response in a form', { response_mode: 'form_post.jwt' }],
  ])('a login that ends with %s can be completed afterwards', async (_, params: Form) => {
    const browser = createBrowser();
    const loginChallenge = await begin(browser, authorizationUrl(instance, app, params));
    const decision = { subject: 'alice', remember: true };
    const toConsent = await browser.get(await acceptLogin(instance, loginChallenge, decision));
    const end = await acceptConsent(instance, challengeIn(toConsent, 'consent'), { remember: true });
    const cookies = new Map(browser.cookies);
    service.down = true;
    instance.calls.reset();
    const refused = await browser.get(end);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('temporarily_unavailable');
    expect([refused.headers.get('retry-after'), refused.headers.getSetCookie()]).toEqual(['1', []]);
    expect(instance.calls.commits).toEqual([]);
    expect(browser.cookies).toEqual(cookies);
    service.down = false;
    const served = await browser.get(end);
    const answer = `${served.headers.get('location')} ${await served.text()}`;
    expect([served.status < 400, answer.includes('error')]).toEqual([true, false]);
  });

  it('a code is redeemed without it if the client gets no signed token', async () => {
    const plain = await registerClient(instance, 'plain', { access_token_strategy: 'opaque' });
    const asked = { params: { scope: 'profile' }, consent: { grant_scope: ['profile'] } };
    const form = redemptionOf(await codeFor(instance, plain, asked));
    service.down = true;
    expect((await post(form, basicOf(plain))).status).toBe(200);
  });

  it('known tokens verify', async () => {
    const { access_token } = await login(instance, app);
    service.down = true;
    expect(await introspect(instance, access_token)).toMatchObject({ active: true });
  });

  it('logout tokens are sent afterwards', async () => {
    const receiver = await startLogoutReceiver();
    const notifiedClient = await registerClient(instance, 'notified', { backchannel_logout_uri: receiver.url });
    const browser = createBrowser();
    await login(instance, notifiedClient, { browser, login: { remember: true } });
    service.down = true;
    await signOut(instance, browser);
    await expect.poll(() => instance.log()).toContain('"reason":"signer_unavailable"');
    expect(receiver.received).toEqual([]);
    service.down = false;
    await receiver.until(1);
    await untilDelivered(instance.adapter);
    await receiver.close();
  });
});
