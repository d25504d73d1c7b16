import { expect, it } from 'vitest';
import { authenticationOf, browserOf } from './words.ts';

const edge = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1 Version/18.1 Safari/604.1';

it.each([
  [edge, 'Microsoft Edge 141, Windows'],
  [iPhone, 'Safari 18, iOS'],
])('the User-Agent %s is shown in words, and its text stays readable', (userAgent, words) => {
  expect(String(browserOf(userAgent))).toBe(`<details><summary>${words}</summary><code>${userAgent}</code></details>`);
});

it('a User-Agent that names no browser is shown as it is, and is never markup', () => {
  expect(String(browserOf('<script>alert(1)</script>'))).toBe('<code>&lt;script&gt;alert(1)&lt;/script&gt;</code>');
  expect(String(browserOf(undefined))).toBe('');
});

it('acr and amr are words in the language of the page, and unknown values are shown as they are', () => {
  const carnet = { acr: 'urn:carnet:2fa', amr: ['pwd', 'otp'] };
  expect(String(authenticationOf(carnet, 'en'))).toContain('<summary>two factors, password, one-time code</summary>');
  expect(String(authenticationOf(carnet, 'de'))).toContain('<summary>zwei Faktoren, Passwort, Einmalcode</summary>');
  const passkey = { acr: 'phr', amr: ['pop', 'user', 'swk', 'mfa'] };
  expect(String(authenticationOf(passkey, 'en'))).toBe(
    '<details><summary>two factors, safe from phishing, synced passkey</summary><code>phr pop user swk mfa</code></details>',
  );
  const other = { acr: '<b>', amr: ['toString'] };
  expect(String(authenticationOf(other, 'en'))).toContain('<summary>&lt;b&gt;, toString</summary>');
  expect(String(authenticationOf({}, 'en'))).toBe('');
});
