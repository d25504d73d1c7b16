import { describe, expect, test } from 'vitest';
import type { ClientRecord } from '../clients/client-record.ts';
import type { HttpResponse } from '../http/types.ts';
import { createRespond, createResponseModes, type ResponseParameters, refusalOf } from './authorization-response.ts';

const uri = 'https://app.test/callback';
const client = { id: 'app', metadata: {} } as ClientRecord;
const responseModes = createResponseModes({ jarm: { enabled: true } });
const respondWith = createRespond({
  options: { issuer: 'https://op.test', idTokenAlg: 'ES256' },
  responseModes,
  createClientJwt: async (claims) => JSON.stringify(claims),
  now: () => 1_000_000,
});
const respond = (params: Record<string, string>, values: ResponseParameters) =>
  respondWith({ redirect_uri: uri, ...params }, client, values) as HttpResponse;
const locationOf = (params: Record<string, string>) =>
  respond(params, { code: 'a b', state: undefined }).headers?.Location;

describe('the response to a request for a code', () => {
  test('the response uses the query, without the parameters that have no value', () => {
    expect(locationOf({})).toBe('https://app.test/callback?code=a+b&iss=https%3A%2F%2Fop.test');
  });

  test('keeps the query of the redirect URI (RFC 6749, section 3.1.2)', () => {
    expect(locationOf({ redirect_uri: `${uri}?tenant=1&code=x` })).toBe(
      'https://app.test/callback?tenant=1&code=a+b&iss=https%3A%2F%2Fop.test',
    );
    expect(locationOf({ redirect_uri: 'https://app.test/?' })).toBe(
      'https://app.test/?code=a+b&iss=https%3A%2F%2Fop.test',
    );
  });

  test('response_mode=fragment uses the fragment', () => {
    expect(locationOf({ response_mode: 'fragment' })).toBe(
      'https://app.test/callback#code=a+b&iss=https%3A%2F%2Fop.test',
    );
  });

  test('response_mode=form_post gives an escaped form, with a policy that names its script', () => {
    const { status, headers, body } = respond(
      { redirect_uri: `${uri}?a="b"`, response_mode: 'form_post' },
      { code: 'x', state: '"><script>' },
    );
    expect([status, headers?.Location]).toEqual([200, undefined]);
    expect(body).toContain('<form method="post" action="https://app.test/callback?a=&quot;b&quot;">');
    expect(body).toContain('<input type="hidden" name="state" value="&quot;&gt;&lt;script&gt;"/>');
    expect(headers?.['Content-Security-Policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; base-uri 'none'/,
    );
  });
});

test('an error has the state of the request and the issuer (RFC 9207, section 2)', () => {
  const rejection = { error: 'access_denied', description: 'not today' };
  const { status, headers } = respond({}, refusalOf({ state: 's' }, rejection));
  expect([status, headers?.Location]).toEqual([
    303,
    'https://app.test/callback?error=access_denied&error_description=not+today&state=s&iss=https%3A%2F%2Fop.test',
  ]);
  expect(respond({ response_mode: 'form_post' }, refusalOf({}, rejection)).status).toBe(400);
});

test('a JWT response has only the parameter `response`, which expires after two minutes (JARM, section 2.1)', async () => {
  const { headers } = await respondWith({ redirect_uri: uri, response_mode: 'jwt' }, client, { code: 'x' });
  const response = new URL(String(headers?.Location)).searchParams;
  expect([...response.keys()]).toEqual(['response']);
  const claims = { code: 'x', aud: 'app', exp: 1120, iss: 'https://op.test' };
  expect(JSON.parse(String(response.get('response')))).toEqual(claims);
});

test('the default response mode is the query for a code, and the fragment for tokens', () => {
  expect(responseModes.of({ response_type: 'code' })).toEqual({ delivery: 'query', isJwt: false });
  expect(responseModes.of({ response_type: 'code id_token' })).toEqual({ delivery: 'fragment', isJwt: false });
  expect(responseModes.of({ response_type: 'id_token', response_mode: 'jwt' })).toEqual({
    delivery: 'fragment',
    isJwt: true,
  });
  expect(responseModes.of({ response_type: 'code', response_mode: 'unknown' }).delivery).toBe('query');
});
