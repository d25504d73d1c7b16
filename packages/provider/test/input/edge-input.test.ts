import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, describe, expect, test } from 'vitest';
import { postForm, refusal } from '../call.ts';
import { type CarnetTarget, startCarnet } from '../carnet-target.ts';
import { secretsIn } from '../leaks.ts';
import { authorizationUrl, credentialsFor } from '../login.ts';
import { rawForm, rawRequest } from '../raw-request.ts';
import { assertionForm, clientAssertion } from '../signed-requests.ts';
import { clients } from '../threat-target.ts';

/** Threats D7 to D10: what a request may say about hosts, audiences, secrets and parameters. */

const { app, posting } = clients;
const evil = 'evil.test';
const discovery = '/.well-known/openid-configuration';
const forgeries: Readonly<Record<string, string>>[] = [
  { host: evil },
  { 'x-forwarded-host': evil, 'x-forwarded-proto': 'https' },
  { forwarded: `host=${evil};proto=https` },
];

/** The URLs in a text that are not below the issuer. */
const foreignUrls = ({ issuer }: CarnetTarget, text: string): string[] =>
  [...text.matchAll(/https?:[^"\s]+/g)].map(([url]) => url).filter((url) => !url.startsWith(issuer));

/** D7 */
const discover = (target: CarnetTarget, headers: Readonly<Record<string, string>> = {}) =>
  rawRequest(target.issuer + discovery, { headers });

/** D8: an assertion made for another server, played to this one under that server's name. */
const assertElsewhere = async (target: CarnetTarget, host: string) => {
  const assertion = await clientAssertion(`http://${host}/oauth2/token`);
  return rawForm(`${target.issuer}/oauth2/token`, assertionForm(assertion), { host });
};

/** D9 */
const authenticate = (target: CarnetTarget, secret: string) =>
  postForm(`${target.issuer}/oauth2/token`, {
    grant_type: 'client_credentials',
    client_id: posting.id,
    client_secret: secret,
  });

/** D10 */
const oversized = {
  '1,500 unknown scopes': { scope: `openid ${Array.from({ length: 1_500 }, (_, i) => `s${i}`).join(' ')}` },
  '60 scopes': { scope: `openid ${Array.from({ length: 60 }, (_, i) => `s${i}`).join(' ')}` },
  'a state of 15 KB': { state: 's'.repeat(14_500) },
  'a NUL in state': { state: 'abcdefgh\u0000' },
  'a NUL in scope': { scope: 'openid \u0000' },
  'a NUL in login_hint': { login_hint: 'alice\u0000' },
  'a line break in ui_locales': { ui_locales: 'en\r\nSet-Cookie: a=b' },
  '100 parameters': Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, 'x'])),
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const ask = (target: CarnetTarget, params: Readonly<Record<string, string>>) =>
  rawRequest(authorizationUrl(target, app, params), { headers: { accept: 'text/html' } });

describe('Carnet', () => {
  const carnet = beforeTests(() => startCarnet({ config: { http: { allowedHosts: [alias] } } }));
  const alias = 'alias.test';
  afterEach(() => {
    expect(secretsIn(carnet.instance.log())).toEqual([]);
    expect(carnet.instance.log()).not.toContain(posting.secret);
  });

  test.each([
    discovery,
    '/oauth2/auth',
    '/oauth2/token',
    '/userinfo',
    '/.well-known/jwks.json',
    '/oauth2/sessions/logout',
  ])('a forged Host is answered with 421 at %s', { tags: ['D7'] }, async (path) => {
    const { status, text } = await rawRequest(carnet.issuer + path, { headers: { host: evil } });
    expect([status, JSON.parse(text).error]).toEqual([421, 'invalid_request']);
    expect(text).not.toContain(evil);
  });

  test.each([{ host: alias }, ...forgeries.slice(1)])(
    'every URL in discovery is the issuer’s, whatever %o says',
    { tags: ['D7'] },
    async (headers) => {
      const { status, text } = await discover(carnet, headers);
      expect([status, JSON.parse(text).issuer, foreignUrls(carnet, text)]).toEqual([200, carnet.issuer, []]);
    },
  );

  test('the redirect URL that a login app is given is the issuer’s under another allowed Host', {
    tags: ['D7'],
  }, async () => {
    const { headers } = await rawRequest(authorizationUrl(carnet, app), { headers: { host: alias } });
    const challenge = new URL(headers.location ?? '').searchParams.get('login_challenge');
    const path = `/admin/oauth2/auth/requests/login/accept?login_challenge=${challenge}`;
    const accepted = await fetch(carnet.instance.admin + path, { method: 'PUT', body: '{"subject":"alice"}' });
    expect(foreignUrls(carnet, await accepted.text())).toEqual([]);
  });

  test('an assertion for the issuer or its token endpoint is accepted', { tags: ['D8'] }, async () => {
    for (const audience of [carnet.issuer, `${carnet.issuer}/oauth2/token`]) {
      const form = assertionForm(await clientAssertion(audience));
      expect((await postForm(`${carnet.issuer}/oauth2/token`, form)).status).toBe(200);
    }
  });

  test('an assertion with a foreign audience is refused whatever Host says', { tags: ['D8'] }, async () => {
    expect((await assertElsewhere(carnet, evil)).status).toBe(421);
    const under = await assertElsewhere(carnet, alias);
    expect([under.status, JSON.parse(under.text).error]).toEqual([401, 'invalid_client']);
    const foreign = await clientAssertion(`http://${evil}/oauth2/token`);
    for (const headers of forgeries.slice(1)) {
      const answer = await postForm(`${carnet.issuer}/oauth2/token`, assertionForm(foreign), headers);
      expect(answer).toMatchObject(refusal('invalid_client', 401));
    }
  });

  test('a secret in the body authenticates as it is, and with nothing added to it', { tags: ['D9'] }, async () => {
    expect((await authenticate(carnet, posting.secret)).status).toBe(200);
    for (const added of ['\0', '\0\0', '\n', '\u007f', 'x'.repeat(5_000)])
      expect(await authenticate(carnet, posting.secret + added)).toMatchObject(refusal('invalid_request'));
    for (const added of [' ', 'x', 'x'.repeat(2_000)])
      expect(await authenticate(carnet, posting.secret + added)).toMatchObject(refusal('invalid_client', 401));
  });

  test('a secret in the header authenticates as it is, and with nothing added to it', { tags: ['D9'] }, async () => {
    expect((await credentialsFor(carnet, app)).status).toBe(200);
    const adding = (added: string) => credentialsFor(carnet, { ...app, secret: app.secret + added });
    for (const added of ['\0', '\0\0', '\n']) expect(await adding(added)).toMatchObject(refusal('invalid_request'));
    for (const added of ['x', 'x'.repeat(2_000)])
      expect(await adding(added)).toMatchObject(refusal('invalid_client', 401));
  });

  test.each(Object.entries(oversized))(
    'a request with %s is refused, and nothing is stored',
    { tags: ['D10'] },
    async (_name, params) => {
      carnet.instance.calls.reset();
      const { status, headers, text } = await ask(carnet, params);
      expect(status).toBeOneOf([400, 414]);
      expect(text).toContain('invalid_request');
      const { commits } = carnet.instance.calls;
      expect([headers.location, headers['set-cookie'], commits]).toEqual([undefined, undefined, []]);
    },
  );

  test.each(Object.entries(oversized))(
    'a POST with %s is refused, and nothing is stored',
    { tags: ['D10'] },
    async (_name, params) => {
      carnet.instance.calls.reset();
      const form = new URL(authorizationUrl(carnet, app, params)).searchParams;
      const { status, text } = await rawForm(`${carnet.issuer}/oauth2/auth`, form);
      expect(status).toBeOneOf([400, 413]);
      expect(text).toContain('invalid_request');
      expect(carnet.instance.calls.commits).toEqual([]);
    },
  );

  test.each([
    ['1,500 unknown scopes', oversized['1,500 unknown scopes']],
    ['a NUL in scope', { scope: 'profile\0' }],
    ['a NUL in grant_type', { grant_type: 'client_credentials\0' }],
    ['a NUL in code', { code: 'x\0' }],
  ])('a token request with %s is refused, and nothing is stored', { tags: ['D10'] }, async (_name, params) => {
    carnet.instance.calls.reset();
    const { status, body } = await credentialsFor(carnet, app, { ...params });
    expect([status, body.error, carnet.instance.calls.commits]).toEqual([400, 'invalid_request', []]);
  });

  test('a single scope that is not registered is refused, and nothing is stored', { tags: ['D10'] }, async () => {
    carnet.instance.calls.reset();
    const { headers } = await ask(carnet, { scope: 'openid unknown' });
    expect(new URL(headers.location ?? '').searchParams.get('error')).toBe('invalid_scope');
    expect(carnet.instance.calls.commits).toEqual([]);
  });
});
