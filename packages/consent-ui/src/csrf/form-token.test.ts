import { describe, expect, it } from 'vitest';
import { createFormTokens, formTokenField } from './form-token.ts';

const tokens = createFormTokens({ secure: false });
const url = 'http://127.0.0.1:3000/login?login_challenge=c';

const request = (headers: Record<string, string>): Request =>
  new Request(url, { headers: { host: '127.0.0.1:3000', ...headers } });

/** A form that was shown, and the cookie that came with it. */
const shown = (challenge = 'c', formTokens = tokens) => {
  const { token, cookie } = formTokens.issue(request({}), challenge);
  return {
    form: new URLSearchParams({ [formTokenField]: token }),
    cookie: cookie.split(';')[0] ?? '',
    setCookie: cookie,
  };
};

const forged = expect.objectContaining({ code: 'forged_form' });

describe('form tokens', () => {
  it('accept a form that this UI showed, from browsers that say where it comes from and from those that do not', () => {
    const { form, cookie } = shown();
    // `Origin: null` is what browsers send from a page with Referrer-Policy no-referrer.
    const honest: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin', origin: 'null' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:3000' },
    ];
    for (const headers of honest) {
      expect(() => tokens.check(request({ cookie, ...headers }), 'c', form)).not.toThrow();
    }
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'nonsense' }],
  ])('refuse a form that another origin posts, even with the right token: %j', (headers) => {
    const { form, cookie } = shown();
    expect(() => tokens.check(request({ cookie, ...headers }), 'c', form)).toThrow(forged);
  });

  it('refuse a form without the cookie, without the token, or with another token', () => {
    const { form, cookie } = shown();
    expect(() => tokens.check(request({}), 'c', form)).toThrow(forged);
    expect(() => tokens.check(request({ cookie }), 'c', new URLSearchParams())).toThrow(forged);
    expect(() => tokens.check(request({ cookie }), 'c', shown().form)).toThrow(forged);
  });

  it('refuse an empty cookie with an empty token', () => {
    const name = shown().cookie.split('=')[0];
    const form = new URLSearchParams({ [formTokenField]: '' });
    expect(() => tokens.check(request({ cookie: `${name}=` }), 'c', form)).toThrow(forged);
  });

  it('refuse the token of another flow', () => {
    const other = shown('other');
    expect(() => tokens.check(request({ cookie: other.cookie }), 'c', other.form)).toThrow(forged);
  });

  it('refuse a cookie that is there twice, as when a sibling domain set one too', () => {
    const { form, cookie } = shown();
    expect(() => tokens.check(request({ cookie: `${cookie}; ${cookie}` }), 'c', form)).toThrow(forged);
  });

  it('keep the token of a form that is open in another tab', () => {
    const first = tokens.issue(request({}), 'c');
    const second = tokens.issue(request({ cookie: first.cookie.split(';')[0] ?? '' }), 'c');
    expect(second.token).toBe(first.token);
  });

  it('do not take over a cookie that they could not have set', () => {
    const name = shown().cookie.split('=')[0];
    expect(tokens.issue(request({ cookie: `${name}="><script>` }), 'c').token).toMatch(/^[\w-]{32}$/);
  });

  it('are out of reach of scripts and of cross-site posts, and on https of sibling domains', () => {
    expect(shown().setCookie).toMatch(
      /^carnet_form_[\w-]{12}=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800$/,
    );
    const secure = shown('c', createFormTokens({ secure: true })).setCookie;
    expect(secure).toMatch(/^__Host-carnet_form_.*; Secure$/);
    expect(secure).not.toContain('Domain');
  });

  it('are removed when the flow is over', () => {
    expect(tokens.clear('c')).toMatch(/^carnet_form_[\w-]{12}=; Path=\/; .*Max-Age=0$/);
  });
});
