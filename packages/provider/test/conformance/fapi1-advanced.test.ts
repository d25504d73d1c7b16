import { openAuthority } from '@carnet/test-servers';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTPayload } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { call, discovery, type Json, postForm } from '../call.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { authorizationUrlOf, begin, codeChallenge, codeVerifier, decideAll, introspect } from '../login.ts';
import { halfHash } from './answers.ts';
import { authenticationOf, configOf, jwks, now, registering, type Signing, settingsOf, sign } from './fapi.ts';

/**
 * FAPI 1.0 Part 2: Advanced, section 5.2.2, with the requests of the conformance suite's plan: by value, pushed, and
 * pushed with JARM. As there, a request by value repeats in the query what the request object has or lacks.
 */
const settings = settingsOf('fapi1');
const strangeKeys = await generateKeyPair('ES256');
const authority = openAuthority();
const certificate = authority.selfSigned({ subject: '/CN=client.test' }).cert;
const otherCertificate = authority.selfSigned({ subject: '/CN=other.test' }).cert;

const fapiClient = {
  token_endpoint_auth_method: 'private_key_jwt',
  jwks,
  tls_client_certificate_bound_access_tokens: true,
  grant_types: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
  response_types: ['code', 'code id_token'],
};

const instance = startBeforeTests({
  config: { oidc: settings.oidc, http: settings.http, features: settings.features },
});
const client = registerBeforeTests(instance, 'fapi1', fapiClient);

afterAll(() => authority.close());

const state = 'a state of the tests';
const certified = (cert: string) => ({
  'x-client-certificate': encodeURIComponent(cert),
  'x-client-verify': 'SUCCESS',
});

const post = async (
  path: string,
  params: Readonly<Record<string, string>>,
  { cert = certificate, audience = `${instance.issuer}/oauth2/token`, alg }: Signing & Presented = {},
) =>
  postForm(
    `${instance.issuer}${path}`,
    { ...(await authenticationOf(client.id, audience, {}, { alg })), ...params },
    cert === '' ? {} : certified(cert),
  );

interface Presented {
  /** Empty: none. */
  readonly cert?: string;
  readonly audience?: string;
}

const pkce = { code_challenge: codeChallenge, code_challenge_method: 'S256' };
const plans = {
  'by value': { response_type: 'code id_token' },
  pushed: { response_type: 'code id_token', ...pkce },
  'pushed, with JARM': { response_type: 'code', response_mode: 'jwt', ...pkce },
} as const;
type Plan = keyof typeof plans;
const planNames = Object.keys(plans) as Plan[];

/** The parameters of a plan. `undefined`: left out of the request object. */
type Changes = Readonly<Record<string, unknown>>;

const parametersOf = (plan: Plan): JWTPayload => ({
  client_id: client.id,
  scope: 'openid profile',
  redirect_uri: redirectUri,
  state,
  nonce: 'n-0123456789',
  ...plans[plan],
});

const requestObject = (plan: Plan, changes: Changes, signing?: Signing): Promise<string> => {
  const claims = { iss: client.id, aud: instance.issuer, nbf: now(), exp: now() + 300, ...changes };
  return sign({ ...parametersOf(plan), ...claims }, signing);
};

const urlOf = (params: Readonly<Record<string, unknown>>): string =>
  authorizationUrlOf(instance, params as Record<string, string>);

/** The URL of the authorization request, or the refusal of the pushed one. */
const requestOf = async (plan: Plan, request: string): Promise<{ url?: string; error?: unknown }> => {
  if (plan === 'by value') return { url: urlOf({ ...parametersOf(plan), request }) };
  const { status, body } = await post('/oauth2/par', { request });
  return status === 201 ? { url: urlOf({ client_id: client.id, request_uri: body.request_uri }) } : body;
};

/** The members of an authorization response: of the query, the fragment or the JWT. */
const membersOf = (url: URL): Json => {
  const members = Object.fromEntries([...url.searchParams, ...new URLSearchParams(url.hash.slice(1))]);
  return members.response === undefined ? members : decodeJwt(members.response);
};

const responseTo = async (url: string): Promise<Json> => {
  const location = locationOf(await createBrowser().get(url));
  // Only the error page of the login app has no state.
  expect(membersOf(location).state).toBe(location.host === 'login.test' ? undefined : state);
  return membersOf(location);
};

/** The error of a request: from the endpoint for pushed requests, at the client, or on the error page. */
const errorOf = async (plan: Plan, changes: Changes, signing?: Signing): Promise<unknown> => {
  const { url, error } = await requestOf(plan, await requestObject(plan, changes, signing));
  if (url === undefined) return error;
  return (await responseTo(url)).error;
};

const consent = { grant_scope: ['openid', 'profile'] };

const authorize = async (plan: Plan, changes: Changes = {}, signing?: Signing): Promise<Json> => {
  const { url = '' } = await requestOf(plan, await requestObject(plan, changes, signing));
  const browser = createBrowser();
  const end = await browser.get(await decideAll(instance, browser, await begin(browser, url), { consent }));
  return membersOf(locationOf(end));
};

const redeem = (plan: Plan, code: unknown, presented: Presented = {}) =>
  post(
    '/oauth2/token',
    {
      grant_type: 'authorization_code',
      code: String(code),
      redirect_uri: redirectUri,
      ...(plan === 'by value' ? {} : { code_verifier: codeVerifier }),
    },
    presented,
  );

describe.each(planNames)('FAPI 1.0 Advanced, a request %s', (plan) => {
  it.each(['ES256', 'PS256'] as const)(
    '5.2.2 and 8.6 leads to tokens that are bound to a certificate, by %s',
    async (alg) => {
      const answer = await authorize(plan, {}, { alg });
      expect(answer).toMatchObject({ state, code: expect.any(String) });
      expect(answer).not.toHaveProperty('scope');
      const { body } = await redeem(plan, answer.code);
      expect(body).toMatchObject({ scope: 'openid profile', id_token: expect.any(String) });
      expect(decodeProtectedHeader(String(body.id_token)).alg).toBe('ES256');
      expect(await introspect(instance, body.access_token)).toMatchObject({ cnf: { 'x5t#S256': expect.any(String) } });
    },
  );

  it('5.2.2.1 an ID token of the authorization endpoint is a detached signature: c_hash and s_hash', async () => {
    const { id_token: idToken, code } = await authorize(plan);
    const claims = plan === 'pushed, with JARM' ? undefined : decodeJwt(String(idToken));
    const hashes = { c_hash: halfHash(String(code)), s_hash: halfHash(state), nonce: 'n-0123456789' };
    if (claims === undefined) expect(idToken).toBeUndefined();
    else expect(claims).toMatchObject(hashes);
  });

  it('5.2.2 a request without state leads to a code', async () => {
    expect(await authorize(plan, { state: undefined })).toMatchObject({ code: expect.any(String) });
  });

  it.each<[string, () => Changes, string]>([
    ['no exp', () => ({ exp: undefined }), 'invalid_request_object'],
    ['no nbf', () => ({ nbf: undefined }), 'invalid_request_object'],
    ['no scope', () => ({ scope: undefined }), 'invalid_request'],
    ['no nonce', () => ({ nonce: undefined }), 'invalid_request'],
    ['an exp 70 minutes ahead', () => ({ exp: now() + 4_200 }), 'invalid_request_object'],
    ['an nbf 70 minutes ago', () => ({ nbf: now() - 4_200 }), 'invalid_request_object'],
    ['an exp in the past', () => ({ exp: now() - 300 }), 'invalid_request_object'],
    ['an aud that is another server', () => ({ aud: 'https://elsewhere.test' }), 'invalid_request_object'],
    ['response_mode=query', () => ({ response_mode: 'query' }), 'invalid_request'],
    ['response_type=code without JARM', () => ({ response_type: 'code', response_mode: undefined }), 'invalid_request'],
    ['no redirect_uri', () => ({ redirect_uri: undefined }), 'invalid_request'],
  ])('5.2.2 a request object with %s is refused', async (_, changes, error) => {
    // In the query, too, response_type and response_mode are those of the request object.
    const { response_type = plans[plan].response_type, response_mode } = changes();
    if (plan === 'by value' && response_mode === undefined && response_type === 'code') {
      const request = await requestObject(plan, changes());
      const answer = await responseTo(urlOf({ ...parametersOf(plan), response_type, request }));
      expect(answer).toMatchObject({ state, error });
    } else expect(await errorOf(plan, changes())).toBe(error);
  });

  it('8.6 a request object by RS256, by the key of another or without a signature is refused', async () => {
    expect(await errorOf(plan, {}, { alg: 'RS256' })).toBe('invalid_request_object');
    expect(await errorOf(plan, {}, { key: strangeKeys.privateKey })).toBe('invalid_request_object');
    const [, payload] = (await requestObject(plan, {})).split('.');
    const { url, error } = await requestOf(plan, `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`);
    expect(url === undefined ? error : (await responseTo(url)).error).toBe('invalid_request_object');
  });

  it('5.2.2 a request that is not signed is refused', async () => {
    const params = parametersOf(plan) as Record<string, string>;
    const { body } =
      plan === 'by value' ? { body: await responseTo(urlOf(params)) } : await post('/oauth2/par', params);
    expect(body.error).toBe('invalid_request');
  });

  it('5.2.2 a code that is redeemed without the certificate yields no token', async () => {
    expect(await redeem(plan, (await authorize(plan)).code, { cert: '' })).toMatchObject({ status: 400 });
  });
});

describe('FAPI 1.0 Advanced', () => {
  it('5.2.2 userinfo requires the certificate of the token', async () => {
    const { access_token: token } = (await redeem('by value', (await authorize('by value')).code)).body;
    const userinfo = async (cert: string) => {
      const headers = { authorization: `Bearer ${token}`, ...certified(cert) };
      return (await call(`${instance.issuer}/userinfo`, { headers })).status;
    };
    expect([await userinfo(certificate), await userinfo(otherCertificate)]).toEqual([200, 401]);
  });

  it('5.2.2 no other response type is offered', async () => {
    expect((await discovery(instance)).response_types_supported).toEqual(['code', 'code id_token']);
    expect(await errorOf('by value', { response_type: 'code token' })).toBeDefined();
  });

  it('5.2.2 no client authenticates with a secret, and a client assertion may name the token endpoint', async () => {
    expect((await discovery(instance)).token_endpoint_auth_methods_supported).toEqual([
      'private_key_jwt',
      'tls_client_auth',
      'self_signed_tls_client_auth',
    ]);
    const form = { grant_type: 'client_credentials', scope: 'profile' };
    expect((await post('/oauth2/token', form)).status).toBe(200);
    expect((await post('/oauth2/token', form, { audience: instance.issuer })).status).toBe(200);
    expect((await post('/oauth2/token', form, { alg: 'RS256' })).status).toBe(401);
  });

  it('5.2.2 pushed requests have PKCE with S256', async () => {
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    expect(await errorOf('pushed', bare)).toBe('invalid_request');
    expect(await errorOf('pushed', { code_challenge_method: 'plain' })).toBe('invalid_request');
  });

  it('8.6 every signature is PS256 or ES256, and the document has no member that only Hydra has', async () => {
    const document = await discovery(instance);
    const listed = Object.entries(document).filter(([name]) => name.endsWith('signing_alg_values_supported'));
    expect(listed.length).toBeGreaterThan(3);
    for (const [name, values] of listed) expect(['PS256', 'ES256'], name).toEqual(expect.arrayContaining(values as []));
    expect(document).toMatchObject({
      require_signed_request_object: true,
      tls_client_certificate_bound_access_tokens: true,
    });
    expect(document).not.toHaveProperty('id_token_signed_response_alg');
  });

  it.each<[string, object]>([
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['tls_client_certificate_bound_access_tokens', { tls_client_certificate_bound_access_tokens: false }],
    ['redirect_uris', { redirect_uris: ['http://127.0.0.1/callback'] }],
    ['id_token_signed_response_alg', { id_token_signed_response_alg: 'RS256' }],
  ])('5.2.2 a client with an unsuitable %s is not registered', async (field, metadata) => {
    expect(await registering(instance, fapiClient, metadata)).toMatchObject({
      status: 400,
      text: expect.stringContaining(field),
    });
  });

  it('5.2.2 a client that was registered before gets bound tokens only', async () => {
    const unbound = { ...fapiClient, tls_client_certificate_bound_access_tokens: undefined };
    const before = await registerClient(instance, 'unbound', unbound);
    const authentication = await authenticationOf(before.id, instance.issuer);
    const form = { ...authentication, grant_type: 'client_credentials' };
    expect((await post('/oauth2/token', form, { cert: '' })).status).toBe(400);
  });
});

describe('settings that contradict FAPI 1.0 are reported at the start', () => {
  it.each<[string, ConfigInput, RegExp]>([
    ['FAPI 2.0 as well', { features: { fapi: { enabled: true } } }, /oidc\.profile.*features\.fapi\.enabled/],
    ['mTLS off', { features: { mtls: { enabled: false } } }, /features\.mtls\.enabled/],
    ['JAR off', { features: { jar: { enabled: false } } }, /features\.jar\.enabled/],
    [
      'neither hybrid nor JARM',
      { features: { hybrid: { enabled: false }, jarm: { enabled: false } } },
      /features\.jarm\.enabled/,
    ],
    ['implicit response types', { features: { implicit: { enabled: true } } }, /features\.implicit\.enabled/],
    ['ID tokens by RS256', { keys: { idTokenAlg: 'RS256' } }, /keys\.idTokenAlg/],
  ])('%s', (_, config, problem) => {
    expect(() => parseConfig(configOf(settings, config))).toThrow(problem);
  });

  it('the example has none', () => {
    expect(parseConfig(configOf(settings)).oidc.profile).toBe('fapi1-advanced');
  });
});
