import { describe, expect, test } from 'vitest';
import { authorizationResponse, errorResponse, isPlainCode } from './authorization-response.ts';

const uri = 'https://app.test/callback';
const locationOf = (params: Record<string, string>) =>
  authorizationResponse({ redirect_uri: uri, ...params }, { code: 'a b', state: undefined, iss: 'https://op.test' })
    .headers?.Location;

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
    const { status, headers, body } = authorizationResponse(
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
  const { status, headers } = errorResponse({ redirect_uri: uri, state: 's' }, rejection, 'https://op.test');
  expect([status, headers?.Location]).toEqual([
    303,
    'https://app.test/callback?error=access_denied&error_description=not+today&state=s&iss=https%3A%2F%2Fop.test',
  ]);
  const form = errorResponse({ redirect_uri: uri, response_mode: 'form_post' }, rejection, 'https://op.test');
  expect(form.status).toBe(400);
});

test('a code by itself is sent in a query, a fragment or a form', () => {
  expect(isPlainCode({ response_type: 'code' })).toBe(true);
  expect(isPlainCode({ response_type: 'code', response_mode: 'fragment' })).toBe(true);
  expect(isPlainCode({ response_type: 'code', response_mode: 'query.jwt' })).toBe(false);
  expect(isPlainCode({ response_type: 'code id_token' })).toBe(false);
});
