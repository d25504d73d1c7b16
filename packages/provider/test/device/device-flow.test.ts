import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { refusal } from '../call.ts';
import { registerClient } from '../clients.ts';
import {
  acceptUserCode,
  askForCodes,
  beginDevice,
  deviceConfig,
  deviceMetadata,
  devicePages,
  letIn,
  newCodes,
  poll,
  typeCode,
  walkDevice,
} from '../device.ts';
import { loginPage } from '../harness.ts';
import { createSdk } from '../hydra-client/sdk.ts';
import { acceptLogin, challengeIn, headless, introspect, type Json, refresh, reject } from '../login.ts';
import { connect } from '../relying-party.ts';

const instance = startBeforeTests({ config: deviceConfig });
const tv = registerBeforeTests(instance, 'tv', { ...deviceMetadata, token_endpoint_auth_method: 'none' });
const confidential = registerBeforeTests(instance, 'set-top-box', deviceMetadata);

describe('the device authorization request (RFC 8628, section 3.1)', () => {
  test('the discovery document announces the endpoint', async () => {
    const config = await connect(instance, tv);
    expect(config.serverMetadata()).toMatchObject({
      device_authorization_endpoint: `${instance.issuer}/oauth2/device/auth`,
      grant_types_supported: expect.arrayContaining([deviceMetadata.grant_types[0]]),
    });
  });

  test('the response has codes and verification addresses (section 3.2), after one commit', async () => {
    instance.calls.reset();
    const { status, body } = await askForCodes(instance, tv);
    expect(status).toBe(200);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^carnet_dc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${instance.issuer}/oauth2/device/verify`,
      verification_uri_complete: `${instance.issuer}/oauth2/device/verify?user_code=${String(body.user_code)}`,
      expires_in: 600,
      interval: 1,
    });
    expect([instance.calls.commits.length, instance.calls.reads.length]).toEqual([1, 0]);
  });

  test.each([
    ['a scope that is not registered', { scope: 'openid admin' }, 'invalid_scope'],
    ['an audience that is not registered', { audience: 'https://api.test' }, 'invalid_request'],
    ['a parameter that comes with NUL', { scope: 'openid\0' }, 'invalid_request'],
  ])('the request is refused for %s', async (_what, params, error) => {
    expect(await askForCodes(instance, tv, params)).toMatchObject(refusal(error));
  });

  test('an empty parameter is absent (RFC 6749, section 3.1)', async () => {
    expect((await askForCodes(instance, tv, { registration: '', max_age: '' })).status).toBe(200);
  });

  test('the request is refused without authentication, and to a client that is not registered for it', async () => {
    const web = await registerClient(instance, 'web');
    expect(await askForCodes(instance, web)).toMatchObject(refusal('unauthorized_client'));
    const guessed = await askForCodes(instance, { ...confidential, secret: 'not the secret of it' });
    expect(guessed).toMatchObject(refusal('invalid_client', 401));
  });
});

/** The tokens of a device that a user has let in. */
const tokensFor = async (client = tv, options: Parameters<typeof letIn>[2] = {}): Promise<Json> => {
  const codes = await newCodes(instance, client);
  await letIn(instance, codes, options);
  return (await poll(instance, client, codes.device_code)).body;
};

describe('a device', () => {
  test.each(['tv', 'set-top-box'])('gets tokens when its person lets it in (openid-client, %s)', async (id) => {
    const client = id === 'tv' ? tv : confidential;
    const config = await connect(instance, client);
    const codes = await oidc.initiateDeviceAuthorization(config, { scope: 'openid offline_access profile' });
    const polling = oidc.pollDeviceAuthorizationGrant(config, codes);
    const end = await letIn(instance, codes as never, { consent: { session: { id_token: { email: 'a@b.test' } } } });
    expect(locationOf(end).href).toBe(`${devicePages.success}?client_id=${id}`);
    const tokens = await polling;
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: id, email: 'a@b.test', sid: expect.any(String) });
    expect(tokens.scope?.split(' ').toSorted()).toEqual(['offline_access', 'openid', 'profile']);
    const active = { active: true, sub: 'alice', client_id: id };
    expect(await introspect(instance, tokens.access_token)).toMatchObject(active);
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe('alice');
  });

  test('the device waits, and then gets its tokens by one read and one commit', async () => {
    const codes = await newCodes(instance, tv);
    expect(await poll(instance, tv, codes.device_code)).toMatchObject(refusal('authorization_pending'));
    expect(instance.log()).not.toContain('"reason":"authorization_pending"');
    await letIn(instance, codes);
    instance.calls.reset();
    expect((await poll(instance, tv, codes.device_code)).status).toBe(200);
    expect([instance.calls.reads.length, instance.calls.commits.length]).toEqual([1, 1]);
    expect(instance.calls.commits[0]?.map((write) => write.type)).toEqual(['claim', 'put', 'put', 'put']);
  });

  test('gets tokens once: a second use takes them back', async () => {
    const codes = await newCodes(instance, tv);
    await letIn(instance, codes);
    const { body } = await poll(instance, tv, codes.device_code);
    expect(await poll(instance, tv, codes.device_code)).toMatchObject(refusal('invalid_grant'));
    expect(await introspect(instance, body.access_token)).toEqual({ active: false });
    expect((await refresh(instance, tv, body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('can not use the code of another client', async () => {
    const codes = await newCodes(instance, tv);
    await letIn(instance, codes);
    expect((await poll(instance, confidential, codes.device_code)).body.error).toBe('invalid_grant');
    expect((await poll(instance, tv, codes.device_code)).status).toBe(200);
  });

  test.each(['login', 'consent'] as const)('the device gets access_denied when the %s is rejected', async (what) => {
    const codes = await newCodes(instance, tv);
    const browser = createBrowser();
    let challenge = await typeCode(instance, browser, codes.user_code);
    if (what === 'consent') {
      const toConsent = await acceptLogin(instance, challenge, { subject: 'alice' });
      challenge = challengeIn(await browser.get(toConsent), 'consent');
    }
    const denial = { error: 'login request denied', error_description: 'not today' };
    const end = locationOf(await browser.get(await reject(instance, what, challenge, denial)));
    expect(end.href).toBe('http://login.test/error?error=access_denied&error_description=not+today');
    const body = { error: 'access_denied', error_description: 'not today' };
    for (let i = 0; i < 2; i++)
      expect(await poll(instance, tv, codes.device_code)).toMatchObject({ status: 400, body });
  });

  test.each([
    [
      ['offline_access', 'openid'],
      ['access_token', 'id_token', 'refresh_token'],
    ],
    [['offline_access'], ['access_token', 'refresh_token']],
    [['openid'], ['access_token', 'id_token']],
  ])('the device gets the tokens that the granted scopes stand for: %j, %j', async (grant_scope, expected) => {
    const names = Object.keys(await tokensFor(tv, { consent: { grant_scope } }));
    expect(names.filter((name) => name.endsWith('_token')).toSorted()).toEqual(expected);
  });

  test('the device gets access_denied when nothing is granted', async () => {
    expect((await tokensFor(tv, { consent: { grant_scope: [] } })).error).toBe('access_denied');
  });

  test('the device gets access_denied as soon as another user signs in than the one its id_token_hint names', async () => {
    const hinted = await newCodes(instance, tv, { id_token_hint: String((await tokensFor()).id_token) });
    const browser = createBrowser();
    const challenge = await typeCode(instance, browser, hinted.user_code);
    const end = await browser.get(await acceptLogin(instance, challenge, { subject: 'bob' }));
    expect(locationOf(end).searchParams.get('error')).toBe('access_denied');
    expect((await poll(instance, tv, hinted.device_code)).body.error).toBe('access_denied');
  });

  test('gets the lifetimes that its client has for it', async () => {
    const client = await registerClient(instance, 'short-lived', {
      ...deviceMetadata,
      device_authorization_grant_access_token_lifespan: '2m',
      device_authorization_grant_id_token_lifespan: '3m',
    });
    const body = await tokensFor(client);
    const { iat, exp } = decodeJwt(String(body.id_token));
    expect([body.expires_in, Number(exp) - Number(iat)]).toEqual([120, 180]);
  });

  test('gets a JWT if its client is registered for it', async () => {
    const client = await registerClient(instance, 'jwt-device', { ...deviceMetadata, access_token_strategy: 'jwt' });
    expect((await tokensFor(client)).access_token).toMatch(/^ey/);
  });

  test('gets tokens bound to its key (RFC 9449)', async () => {
    const config = await connect(instance, tv);
    const keys = await oidc.randomDPoPKeyPair('ES256');
    const DPoP = oidc.getDPoPHandle(config, keys);
    const codes = await oidc.initiateDeviceAuthorization(config, { scope: 'openid profile' });
    await letIn(instance, codes as never);
    const tokens = await oidc.pollDeviceAuthorizationGrant(config, codes, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
  });
});

describe('the person', () => {
  test('sees the code, the address and the time of the device on the consent page (section 5.4)', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const { user_code } = await newCodes(instance, tv);
    const browser = createBrowser();
    const login = { subject: 'alice', context: { tenant: 'blue' } };
    const toConsent = await acceptLogin(instance, await typeCode(instance, browser, user_code), login);
    const challenge = challengeIn(await browser.get(toConsent), 'consent');
    const { body } = await headless(instance, 'GET', `consent?consent_challenge=${challenge}`);
    const requested_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const device = { user_code, address: '127.0.0.1', requested_at };
    expect(body.context).toEqual({ tenant: 'blue', device });
    const at = Date.parse((body.context as { device: { requested_at: string } }).device.requested_at);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  test('Hydra’s SDK can accept a user code: acceptUserCodeRequest', async () => {
    const { user_code, device_code } = await newCodes(instance, tv);
    const browser = createBrowser();
    const deviceChallenge = await beginDevice(instance, browser);
    const { oauth2 } = createSdk(instance);
    const { data, status } = await oauth2.acceptUserCodeRequest({
      deviceChallenge,
      acceptDeviceUserCodeRequest: { user_code },
    });
    expect(status).toBe(200);
    const login = await browser.get(data.redirect_to);
    expect(locationOf(login).href.startsWith(`${loginPage}?login_challenge=`)).toBe(true);
    const asked = await oauth2.getOAuth2LoginRequest({ loginChallenge: challengeIn(login, 'login') });
    expect(asked.data).toMatchObject({
      client: { client_id: 'tv' },
      requested_scope: ['openid', 'offline_access', 'profile'],
      request_url: `${instance.issuer}/oauth2/device/verify`,
      skip: false,
    });
    expect((await poll(instance, tv, device_code)).body.error).toBe('authorization_pending');
  });

  test('may type the code in lower case, with dashes and blanks', async () => {
    const { user_code } = await newCodes(instance, tv);
    const typed = ` ${user_code.slice(0, 4).toLowerCase()} - ${user_code.slice(4)}`;
    const challenge = await beginDevice(instance, createBrowser());
    expect((await acceptUserCode(instance, challenge, typed)).status).toBe(200);
  });

  test('finds the code of the link at the page, to be confirmed (RFC 8628, section 3.3.1)', async () => {
    const { verification_uri_complete, user_code } = await newCodes(instance, tv);
    const url = locationOf(await createBrowser().get(verification_uri_complete));
    expect(url.origin + url.pathname).toBe(devicePages.verification);
    expect(url.searchParams.get('user_code')).toBe(user_code);
  });

  test('a link with an invalid code shows none of it', async () => {
    const url = `${instance.issuer}/oauth2/device/verify?user_code=%3Cscript%3E`;
    expect(locationOf(await createBrowser().get(url)).searchParams.has('user_code')).toBe(false);
  });

  test('a remembered user skips the login, and always sees the consent', async () => {
    const browser = createBrowser();
    await tokensFor(tv, { browser, login: { remember: true }, consent: { remember: true } });
    const challenge = await typeCode(instance, browser, (await newCodes(instance, tv)).user_code);
    const asked = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
    expect(asked.body).toMatchObject({ skip: true, subject: 'alice' });
    const next = await browser.get(await acceptLogin(instance, challenge, { subject: 'alice' }));
    const consents = await headless(instance, 'GET', `consent?consent_challenge=${challengeIn(next, 'consent')}`);
    expect(consents.body).toMatchObject({ skip: false, subject: 'alice' });
  });

  test('a remembered user who signs in as another one types the code again', async () => {
    const browser = createBrowser();
    await tokensFor(tv, { browser, login: { remember: true } });
    const codes = await newCodes(instance, tv);
    const challenge = await typeCode(instance, browser, codes.user_code);
    const again = new URL(await acceptLogin(instance, challenge, { subject: 'bob' }));
    expect(again.pathname).toBe('/oauth2/device/verify');
    const asked = await typeCode(instance, browser, codes.user_code, Object.fromEntries(again.searchParams));
    expect((await headless(instance, 'GET', `login?login_challenge=${asked}`)).body.skip).toBe(false);
  });

  test('stays logged in where they let a device in and asked to be remembered', async () => {
    const { browser, end } = await walkDevice(instance, await newCodes(instance, tv), { login: { remember: true } });
    await browser.get(end);
    expect([...browser.cookies.keys()].filter((name) => name.endsWith('_session'))).toHaveLength(1);
    expect([...browser.cookies.keys()].filter((name) => name.includes('_flow_'))).toEqual([]);
  });
});

test('the verification address is a 404 page if no page for user codes is configured', async () => {
  const without = await startInTest();
  const response = await createBrowser().get(`${without.issuer}/oauth2/device/verify`);
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('urls.device.verification')]);
});
