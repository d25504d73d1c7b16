import { generateKeyPairSync, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openAuthority } from '@carnet/test-servers';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { redirectUri, registerClient } from '../clients.ts';
import { consentPage, loginPage, testKeys, testSecret } from '../harness.ts';
import { begin, codeChallenge, codeVerifier, decideAll, introspect, type Json } from '../login.ts';
import { postForm } from '../signed-requests.ts';

/**
 * FAPI 1.0 Part 2: Advanced, section 5.2.2, with the requests of the conformance suite's plan: by value, pushed, and
 * pushed with JARM. As there, a request by value repeats in the query what the request object has or lacks.
 */
const example = readFileSync(new URL('../../../../examples/fapi1/carnet.yaml', import.meta.url), 'utf8');
const settings = parse(example) as ConfigInput;

const keys = await generateKeyPair('ES256', { extractable: true });
const rsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangeKeys = await generateKeyPair('ES256', { extractable: true });
const authority = openAuthority();
const certificate = authority.selfSigned({ subject: '/CN=client.test' }).cert;
const otherCertificate = authority.selfSigned({ subject: '/CN=other.test' }).cert;

const fapiClient = {
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: {
    keys: [
      { ...(await exportJWK(keys.publicKey)), kid: 'es', use: 'sig' },
      { ...rsaKeys.publicKey.export({ format: 'jwk' }), kid: 'rs', use: 'sig' },
    ],
  },
  tls_client_certificate_bound_access_tokens: true,
  grant_types: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
  response_types: ['code', 'code id_token'],
};

const instance = startBeforeTests({
  config: { oidc: settings.oidc, http: settings.http, features: settings.features },
});
const client = registerBeforeTests(instance, 'fapi1', fapiClient);

afterAll(async () => {
  authority.close();
});

const seconds = () => Math.floor(Date.now() / 1000);
const state = 'a state of the tests';

interface Signing {
  readonly alg?: 'ES256' | 'PS256' | 'RS256';
  readonly key?: Parameters<SignJWT['sign']>[0];
}

const sign = (claims: JWTPayload, { alg = 'ES256', key }: Signing = {}): Promise<string> =>
  new SignJWT({ iss: client.id, aud: instance.issuer, ...claims })
    .setProtectedHeader({ alg, kid: alg === 'ES256' ? 'es' : 'rs' })
    .sign(key ?? (alg === 'ES256' ? keys.privateKey : rsaKeys.privateKey));

const post = async (
  path: string,
  params: Readonly<Record<string, string>>,
  { cert = certificate, audience = `${instance.issuer}/oauth2/token`, alg }: Signing & Presented = {},
) => {
  const times = { iat: seconds(), exp: seconds() + 120 };
  const claims = { sub: client.id, aud: audience, jti: crypto.randomUUID(), ...times };
  return postForm(
    `${instance.issuer}${path}`,
    new URLSearchParams({
      client_id: client.id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign(claims, { alg }),
      ...params,
    }),
    cert === '' ? {} : { 'x-client-certificate': encodeURIComponent(cert), 'x-client-verify': 'SUCCESS' },
  );
};

interface Presented {
  /** Empty: none. */
  readonly cert?: string;
  readonly audience?: string;
}

const plans = {
  'by value': { response_type: 'code id_token' },
  pushed: { response_type: 'code id_token', code_challenge: codeChallenge, code_challenge_method: 'S256' },
  'pushed, with JARM': {
    response_type: 'code',
    response_mode: 'jwt',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  },
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

const requestObject = (plan: Plan, changes: Changes, signing?: Signing): Promise<string> =>
  sign({ ...parametersOf(plan), nbf: seconds(), exp: seconds() + 300, ...changes }, signing);

const urlOf = (params: Readonly<Record<string, unknown>>): string =>
  `${instance.issuer}/oauth2/auth?${new URLSearchParams(params as Record<string, string>)}`;

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

const discovery = async (): Promise<Json> =>
  (await (await fetch(`${instance.issuer}/.well-known/openid-configuration`)).json()) as Json;

const register = async (metadata: object): Promise<{ status: number; text: string }> => {
  const body = JSON.stringify({ redirect_uris: [redirectUri], ...fapiClient, ...metadata });
  const response = await fetch(`${instance.admin}/admin/clients`, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
};

const halfHash = (value: unknown): string =>
  hash('sha256', String(value), 'buffer').subarray(0, 16).toString('base64url');

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
    const hashes = { c_hash: halfHash(code), s_hash: halfHash(state), nonce: 'n-0123456789' };
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
    ['an exp 70 minutes ahead', () => ({ exp: seconds() + 4_200 }), 'invalid_request_object'],
    ['an nbf 70 minutes ago', () => ({ nbf: seconds() - 4_200 }), 'invalid_request_object'],
    ['an exp in the past', () => ({ exp: seconds() - 300 }), 'invalid_request_object'],
    ['an aud that is another server', () => ({ aud: 'https://elsewhere.test' }), 'invalid_request_object'],
    ['response_mode=query', () => ({ response_mode: 'query' }), 'invalid_request'],
    ['response_type=code without JARM', () => ({ response_type: 'code', response_mode: undefined }), 'invalid_request'],
  ])('5.2.2 a request object with %s is refused', async (_, changes, error) => {
    // In the query, too, response_type and response_mode are those of the request object.
    const { response_type = plans[plan].response_type, response_mode } = changes();
    if (plan === 'by value' && response_mode === undefined && response_type === 'code') {
      const request = await requestObject(plan, changes());
      const answer = await responseTo(urlOf({ ...parametersOf(plan), response_type, request }));
      expect(answer).toMatchObject({ state, error });
    } else expect(await errorOf(plan, changes())).toBe(error);
  });

  it('5.2.2 a request object without redirect_uri is refused', async () => {
    expect(await errorOf(plan, { redirect_uri: undefined })).toBe('invalid_request');
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
    const userinfo = async (cert: string) =>
      (
        await fetch(`${instance.issuer}/userinfo`, {
          headers: { authorization: `Bearer ${token}`, 'x-client-certificate': encodeURIComponent(cert) },
        })
      ).status;
    expect([await userinfo(certificate), await userinfo(otherCertificate)]).toEqual([200, 401]);
  });

  it('5.2.2 no other response type is offered', async () => {
    expect((await discovery()).response_types_supported).toEqual(['code', 'code id_token']);
    expect(await errorOf('by value', { response_type: 'code token' })).toBeDefined();
  });

  it('5.2.2 no client authenticates with a secret, and a client assertion may name the token endpoint', async () => {
    expect((await discovery()).token_endpoint_auth_methods_supported).toEqual([
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
    const document = await discovery();
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
    expect(await register(metadata)).toMatchObject({ status: 400, text: expect.stringContaining(field) });
  });

  it('5.2.2 a client that was registered before gets bound tokens only', async () => {
    const before = await registerClient(instance, 'unbound', {
      ...fapiClient,
      tls_client_certificate_bound_access_tokens: undefined,
    });
    const times = { iat: seconds(), exp: seconds() + 120 };
    const assertion = await sign({ iss: before.id, sub: before.id, jti: crypto.randomUUID(), ...times });
    const form = { client_id: before.id, client_assertion: assertion, grant_type: 'client_credentials' };
    expect((await post('/oauth2/token', form, { cert: '' })).status).toBe(400);
  });
});

const configOf = ({ features, ...more }: ConfigInput): ConfigInput => ({
  dev: true,
  issuer: 'http://127.0.0.1:4444',
  secrets: { system: [testSecret] },
  storage: { default: 'memory:' },
  urls: { login: loginPage, consent: consentPage },
  ...settings,
  features: { ...settings.features, ...features },
  ...more,
  keys: { ...settings.keys, jwks: testKeys as never, ...more.keys },
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
    expect(() => parseConfig(configOf(config))).toThrow(problem);
  });

  it('the example has none', () => {
    expect(parseConfig(configOf({})).oidc.profile).toBe('fapi1-advanced');
  });
});
