import { beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { rawRequest } from '../raw-request.ts';

/** What both listeners answer to requests that no client sends: at once, before anybody asks the store. */

const instance = startBeforeTests({
  config: { oidc: { dynamicClientRegistration: { enabled: true, maxPerMinute: 600 } } },
});
registerBeforeTests(instance, 'app');
beforeEach(() => instance.calls.reset());

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

const charset = (headers: { readonly 'content-type': string }, value: string) => ({
  'content-type': `${headers['content-type']}; charset=${value}`,
});

interface Odd {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Status and `error`; of a page the status alone, once it is one with the security headers on it. */
const answerTo = async (url: string, odd: Odd): Promise<string> => {
  const { status, headers, text } = await rawRequest(url, { method: 'POST', ...odd });
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers.location).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
  if (text.startsWith('<!doctype html>')) return `${status}`;
  const { error, error_description: description, ...more } = JSON.parse(text) as Record<string, string>;
  expect(more).toEqual({});
  expect(description).not.toContain('aaaaaaaa');
  return `${status} ${error}`;
};

const big = 'a'.repeat(20_000);
const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`;

const veryDeep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;

/** A form with a parameter that holds JSON: as it is, or as the header or the payload of a JWT. */
const formOf = (name: string, ...texts: readonly string[]): string => {
  const parts = texts.length === 1 ? texts : [...texts.map((text) => Buffer.from(text).toString('base64url')), 'AA'];
  return new URLSearchParams({ client_id: 'app', [name]: parts.join('.') }).toString();
};

/** Endpoints that read forms, and what their errors look like. */
const forForms = [
  ['/oauth2/token', 'json'],
  ['/oauth2/revoke', 'json'],
  ['/userinfo', 'json'],
  ['/oauth2/par', 'json'],
  ['/oauth2/device/auth', 'json'],
  ['/oauth2/auth', 'page'],
  ['/oauth2/sessions/logout', 'page'],
] as const;

const oddForms: readonly (readonly [string, Odd, number])[] = [
  ['a parameter of 20 KB', { headers: form, body: `client_id=app&x=${big}` }, 400],
  ['a body of 300 KB', { headers: form, body: `x=${'a'.repeat(300_000)}` }, 413],
  ['300 KB in chunks', { headers: { ...form, 'transfer-encoding': 'chunked' }, body: `x=${'a'.repeat(300_000)}` }, 413],
  ['a thousand parameters', { headers: form, body: Array.from({ length: 1_000 }, (_, i) => `a${i}=b`).join('&') }, 400],
  ['a NUL', { headers: form, body: 'client_id=app&x=%00' }, 400],
  ['a name with a line break', { headers: form, body: 'client_id=app&x%0d%0a=1' }, 400],
  ['a compressed body', { headers: { ...form, 'content-encoding': 'gzip' }, body: 'client_id=app' }, 400],
  ['a charset other than UTF-8', { headers: charset(form, 'UTF-16'), body: 'client_id=app' }, 400],
  ['two charsets', { headers: charset(form, 'utf-8; charset=UTF-16'), body: 'client_id=app' }, 400],
  [
    'a request object 9,000 deep',
    { headers: form, body: formOf('request', '{"alg":"ES256"}', `{"x":${veryDeep}}`) },
    400,
  ],
  ['a request object with such a header', { headers: form, body: formOf('request', `{"alg":${veryDeep}}`, '{}') }, 400],
  [
    'an assertion 2,000 deep',
    { headers: form, body: formOf('client_assertion', '{}', `{"x":${deep.slice(500, 3_500)}}`) },
    400,
  ],
  ['details 2,000 deep', { headers: form, body: formOf('authorization_details', `[${deep}]`) }, 400],
  ['claims 2,000 deep', { headers: form, body: formOf('claims', `{"id_token":${deep}}`) }, 400],
  ['JSON', { headers: json, body: '{"client_id":"app"}' }, 400],
  ['JSON 2,000 deep', { headers: json, body: deep }, 400],
  ['text', { headers: { 'content-type': 'text/plain' }, body: 'client_id=app' }, 400],
  ['a multipart form', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' }, 400],
  ['a body of no type', { body: 'client_id=app' }, 400],
  ['another host', { headers: { ...form, host: 'evil.test' }, body: 'client_id=app' }, 421],
  ['another method', { method: 'PATCH' }, 405],
];

describe.each(forForms)('POST %s', (path, look) => {
  test.each(oddForms)('refuses %s', async (_what, odd, status) => {
    const answer = await answerTo(instance.issuer + path, odd);
    const error = status === 405 ? 'Method Not Allowed' : 'invalid_request';
    // Whose host it is not is told before there is a page to be shown.
    expect(answer).toBe(look === 'page' && status !== 421 ? `${status}` : `${status} ${error}`);
    expect(instance.calls.trips()).toBe(0);
  });
});

test.each(['/oauth2/auth', '/userinfo', '/oauth2/sessions/logout', '/.well-known/openid-configuration'])(
  'GET %s refuses a query of 9,000 characters',
  async (path) => {
    const answer = await answerTo(`${instance.issuer}${path}?x=${'a'.repeat(9_000)}`, { method: 'GET' });
    expect(answer.split(' ')[0]).toBe('414');
    expect(instance.calls.trips()).toBe(0);
  },
);

test('a logout that is posted becomes no redirect that is too long to follow', async () => {
  const params = Array.from({ length: 12 }, (_, i) => `x${i}=${'a'.repeat(1_000)}`).join('&');
  expect(await answerTo(`${instance.issuer}/oauth2/sessions/logout`, { headers: form, body: params })).toBe('413');
});

const oddJson: readonly (readonly [string, Odd, number])[] = [
  ['2,000 levels', { headers: json, body: deep }, 400],
  ['2,000 levels in a member', { headers: json, body: `{"metadata":${deep}}` }, 400],
  ['300 KB', { headers: json, body: `{"client_name":"${'a'.repeat(300_000)}"}` }, 413],
  [
    '300 KB in chunks',
    { headers: { ...json, 'transfer-encoding': 'chunked' }, body: `{"client_name":"${'a'.repeat(300_000)}"}` },
    413,
  ],
  ['100,000 members', { headers: json, body: `[${'1,'.repeat(100_000)}1]` }, 400],
  ['__proto__', { headers: json, body: '{"__proto__":{"skip_consent":true}}' }, 400],
  ['a member twice', { headers: json, body: '{"client_name":"a","client_name":"b"}' }, 400],
  ['\\u0000', { headers: json, body: '{"client_name":"\\u0000"}' }, 400],
  ['a lone surrogate', { headers: json, body: '{"client_name":"\\ud800"}' }, 400],
  ['what is no UTF-8', { headers: json, body: Buffer.from([0x22, 0xff, 0x22]) as never }, 400],
  ['a compressed body', { headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' }, 400],
  ['a charset other than UTF-8', { headers: charset(json, '"UTF-16"'), body: '{}' }, 400],
  ['no JSON', { headers: json, body: 'client_name=a' }, 400],
  ['another host', { headers: { ...json, host: 'evil.test' }, body: '{}' }, 421],
];

describe.each([
  ['/admin/clients', 'admin'],
  ['/clients', 'admin'],
  ['/admin/keys/some', 'admin'],
  ['/admin/registration-tokens', 'admin'],
  ['/admin/trust/grants/jwt-bearer/issuers', 'admin'],
  ['/oauth2/register', 'issuer'],
] as const)('POST %s', (path, listener) => {
  test.each(oddJson)('refuses %s', async (_what, odd, status) => {
    expect(await answerTo(instance[listener] + path, odd)).toBe(`${status} invalid_request`);
    expect(instance.calls.trips()).toBe(0);
  });

  test('refuses another method', async () => {
    expect((await answerTo(instance[listener] + path, { method: 'TRACE' })).split(' ')[0]).toBe('405');
  });
});

test.each(['utf-8', 'UTF8', '"utf-8"', 'us-ascii'])('a body in the charset %s is read', async (value) => {
  const asForm = { method: 'POST', headers: charset(form, value), body: 'client_id=app&grant_type=none' };
  expect((await rawRequest(`${instance.issuer}/oauth2/token`, asForm)).text).toContain('invalid_client');
  const asJson = { method: 'POST', headers: charset(json, value), body: '{"client_name":"é"}' };
  expect((await rawRequest(`${instance.admin}/admin/clients`, asJson)).status).toBe(201);
});
