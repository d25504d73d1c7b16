import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { call, postForm } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { basicOf, redirectUri } from '../clients.ts';
import { beginDevice, deviceMetadata, devicePages, newCodes, poll } from '../device.ts';
import { consentPage, loginPage, start } from '../harness.ts';
import { startHookServer } from '../hook-server.ts';
import { hasPieceOf, secretsIn } from '../leaks.ts';
import { authorizationUrlOf, authorize, codeChallenge, headless, redeem } from '../login.ts';
import { logoutPage, logoutUrl } from '../sign-out.ts';
import { assertionForm, clientAssertion, dpopProof } from '../signed-requests.ts';
import { clients, registrations } from '../threat-target.ts';

const keys = await createClientKeys();
const { jwks } = keys;

const parameters = {
  response_type: 'code id_token token',
  scope: 'openid offline_access profile',
  redirect_uri: redirectUri,
  state: 'a state that only the client knows',
  nonce: 'a nonce that only the client knows',
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};

/** Section B for the requests of clients: request objects, assertions, proofs, codes of devices, tokens of notifications. */
describe('what the log shows of the requests of clients', () => {
  const app = beforeTests(startHookServer);
  const instance = beforeTests(() =>
    start({
      config: {
        urls: {
          login: loginPage,
          consent: consentPage,
          logout: logoutPage,
          device: devicePages,
          backchannelAuthentication: app.url,
        },
        features: { ciba: { enabled: true }, hybrid: { enabled: true }, implicit: { enabled: true } },
      },
    }),
  );
  const client = registerBeforeTests(instance, 'app', {
    jwks,
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    response_types: ['code', 'code id_token token'],
  });
  const device = registerBeforeTests(instance, 'tv', { ...deviceMetadata, token_endpoint_auth_method: 'none' });
  const bank = registerBeforeTests(instance, 'bank', {
    grant_types: ['urn:openid:params:grant-type:ciba'],
    redirect_uris: [],
  });
  registerBeforeTests(instance, clients.signing.id, registrations.signing);
  const secrets = new Map<string, string>();

  const remember = (name: string, value: unknown): string => {
    if (typeof value !== 'string' || value.length < 9) throw new Error(`no ${name}`);
    secrets.set(name, value);
    return value;
  };

  const pushedRequests = async () => {
    const request = await keys.sign({ client_id: client.id, ...parameters, iss: client.id, aud: instance.issuer });
    const dpop = remember('proof', await dpopProof(`${instance.issuer}/oauth2/par`));
    const pushing = (sent: string) =>
      postForm(`${instance.issuer}/oauth2/par`, { request: sent }, { ...basicOf(client), dpop });
    remember('request object', request);
    remember('request_uri', String((await pushing(request)).body.request_uri).slice(-43));
    for (const sent of [request, `${request}x`]) await pushing(sent);
    await call(authorizationUrlOf(instance, { client_id: client.id, request: `${request}x` }));
  };

  const hybridAndLogout = async () => {
    const browser = createBrowser();
    const end = await authorize(instance, client, { browser, params: parameters, login: { remember: true } });
    const response = new URLSearchParams(end.hash.slice(1));
    for (const name of ['code', 'access_token', 'id_token']) remember(`hybrid ${name}`, response.get(name));
    const { body } = await redeem(instance, client, response.get('code') ?? '');
    for (const name of ['access_token', 'refresh_token', 'id_token']) remember(name, body[name]);
    const asked = locationOf(await browser.get(logoutUrl(instance, { id_token_hint: String(body.id_token) })));
    const logoutChallenge = remember('logout challenge', asked.searchParams.get('logout_challenge'));
    const accepted = await headless(instance, 'PUT', `logout/accept?logout_challenge=${logoutChallenge}`);
    const url = new URL(String(accepted.body.redirect_to));
    remember('logout verifier', url.searchParams.get('logout_verifier'));
    for (const each of [createBrowser(), browser, browser]) await each.get(url.href);
  };

  const polledRequests = async () => {
    const { device_code, user_code } = await newCodes(instance, device);
    remember('device code', device_code);
    remember('user code', user_code);
    const challenge = remember('device challenge', await beginDevice(instance, createBrowser(), { user_code }));
    const accepted = await headless(instance, 'PUT', `device/accept?device_challenge=${challenge}`, { user_code });
    await createBrowser().get(String(accepted.body.redirect_to));
    for (const code of [device_code, `${device_code}x`]) await poll(instance, device, code);
    const hint = {
      login_hint: remember('login hint', 'alice-of-the-hint'),
      binding_message: remember('message', 'compare QX-7741'),
    };
    for (const status of [204, 500, 404]) {
      app.say({ status });
      const { body } = await postForm(
        `${instance.issuer}/oauth2/bc-authorize`,
        { scope: 'openid', ...hint },
        basicOf(bank),
      );
      if (status === 204) remember('auth_req_id', body.auth_req_id);
    }
    remember('backchannel challenge', app.calls[0]?.body.backchannel_challenge);
  };

  const assertions = async () => {
    const assertion = remember('assertion', await clientAssertion(instance.issuer));
    for (const sent of [assertion, assertion, `${assertion}x`, assertion.slice(0, 60)])
      await postForm(`${instance.issuer}/oauth2/token`, assertionForm(sent));
  };

  /** Each secret where it does not belong. */
  const misplace = async (value: string) => {
    const { issuer } = instance;
    const text = encodeURIComponent(value);
    for (const path of [`/oauth2/${text}`, `/oauth2/auth?client_id=${text}`, `/userinfo?scope=${text}`])
      await call(issuer + path);
    const code = { grant_type: 'authorization_code', code: value, code_verifier: value, scope: value };
    await postForm(`${issuer}/oauth2/token`, code, basicOf(client));
    await postForm(`${issuer}/oauth2/token`, { grant_type: value }, basicOf({ id: value, secret: value }));
    await postForm(`${issuer}/oauth2/revoke`, { token: value, token_type_hint: value }, basicOf(client));
    await call(`${issuer}/userinfo`, { headers: { authorization: `DPoP ${value}`, dpop: value } });
  };

  beforeAll(async () => {
    remember('state', parameters.state);
    remember('nonce', parameters.nonce);
    await pushedRequests();
    await hybridAndLogout();
    await polledRequests();
    await assertions();
    for (const value of secrets.values()) await misplace(value);
  });

  test('the log has no piece of a request object, assertion, proof, code, challenge, token, hint or message', () => {
    const log = instance.log();
    expect(secrets.size).toBeGreaterThanOrEqual(20);
    expect([...secrets].filter(([, value]) => hasPieceOf(log, value)).map(([name]) => name)).toEqual([]);
    expect(secretsIn(log)).toEqual([]);
    expect(log).toContain('/oauth2/par');
  });
});
