import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { postForm } from '../call.ts';
import { assertionForm, clientAssertion } from '../signed-requests.ts';
import { clients, registrations } from '../threat-target.ts';

const secret = 'ein Schlüssel – 鍵 🔑, long enough';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const credentials = `shop:${encodeURIComponent(secret)}`;
const body = { grant_type: 'client_credentials' };
const twice = new URLSearchParams([...Object.entries(body), ['client_id', 'shop'], ['client_id', 'shop']]);

const instance = startBeforeTests({ config: { features: { device: { enabled: true }, par: { enabled: true } } } });
registerBeforeTests(instance, 'shop', {
  client_secret: secret,
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: undefined,
});
registerBeforeTests(instance, clients.signing.id, registrations.signing);

const ask = (path: string, form: URLSearchParams | Record<string, string>, authorization?: string) =>
  postForm(`${instance.issuer}${path}`, form, authorization === undefined ? {} : { authorization });

describe('the credentials in an Authorization header', () => {
  test.each([
    ['with padding', `Basic ${base64(credentials)}`],
    ['without padding', `basic ${base64(credentials).replaceAll('=', '')}`],
    ['with a secret that is not encoded', `Basic ${base64(`shop:${secret}`)}`],
  ])('the credentials are accepted %s', async (_, authorization) => {
    expect((await ask('/oauth2/token', body, authorization)).status).toBe(200);
  });

  test.each([
    ['of another scheme', `Bearer ${base64(credentials)}`, 'invalid authorization header value format'],
    ['that are no base64', 'Basic !', 'invalid authorization header value format'],
    ['without a colon', `Basic ${base64('shop')}`, 'invalid authorization header value format'],
    [
      'with a malformed escape',
      `Basic ${base64('shop:%')}`,
      'client_id and client_secret in the authorization header are not properly encoded',
    ],
    ['without a secret', `Basic ${base64('shop:')}`, 'client_secret must be provided in the Authorization header'],
    ['without a client', `Basic ${base64(':x')}`, 'no client authentication mechanism provided'],
  ])('the credentials are refused %s', async (_, authorization, error_description) => {
    const { status, body: refused } = await ask('/oauth2/token', body, authorization);
    expect([status, refused]).toEqual([400, { error: 'invalid_request', error_description }]);
  });
});

const paths = ['/oauth2/token', '/oauth2/revoke', '/oauth2/device/auth', '/oauth2/par'];

const oneMechanism = 'client authentication must only be provided using one mechanism';
const byHeader = `Basic ${base64(credentials)}`;

describe.each(paths)('a client at %s', (path) => {
  test.each<[string, Record<string, string> | URLSearchParams, string | undefined, string]>([
    ['with another id in the form', { ...body, client_id: 'other' }, byHeader, 'client_id mismatch'],
    ['with a secret in the form, too', { ...body, client_secret: secret }, byHeader, oneMechanism],
    [
      'with an assertion, too',
      { ...body, client_assertion: 'a.b.c', client_assertion_type: 'x' },
      byHeader,
      oneMechanism,
    ],
    ['if it names itself twice', twice, undefined, "'client_id' parameter must not be provided twice"],
    ['without credentials', body, undefined, 'no client authentication mechanism provided'],
  ])('a client is refused %s', async (_, form, authorization, error_description) => {
    const { status, body: refused } = await ask(path, form, authorization);
    expect([status, refused]).toEqual([400, { error: 'invalid_request', error_description }]);
  });

  test('a client is challenged if its secret is wrong', async () => {
    const { status, headers, body: refused } = await ask(path, body, `Basic ${base64('shop:a wrong secret')}`);
    const error_description = 'client authentication failed';
    expect([status, refused]).toEqual([401, { error: 'invalid_client', error_description }]);
    expect(headers.get('www-authenticate')).toBe(
      `Basic realm="${instance.issuer}", error="invalid_client", error_description="${error_description}"`,
    );
  });
});

describe('a page of another origin', () => {
  const origin = 'https://elsewhere.test';
  const read = async (form: URLSearchParams, headers: Readonly<Record<string, string>>) => {
    const refused = await postForm(`${instance.issuer}/oauth2/token`, form, { origin, ...headers });
    return [refused.status, refused.body.error, refused.headers.get('access-control-allow-origin')];
  };

  test('the refusal of a client with a secret cannot be read', async () => {
    expect(await read(new URLSearchParams(body), { authorization: byHeader })).toEqual([400, 'invalid_request', null]);
  });

  test('the refusal of a client with an assertion cannot be read', async () => {
    const form = assertionForm(await clientAssertion(instance.issuer));
    expect(await read(form, {})).toEqual([400, 'invalid_request', null]);
  });
});
