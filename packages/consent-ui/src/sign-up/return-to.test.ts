import { expect, it } from 'vitest';
import { createFormTokens } from '../csrf/form-token.ts';
import { challengeIn, returnPath, returnToOf } from './return-to.ts';

const formTokens = createFormTokens({ secure: false });
const uiUrl = new URL('https://login.example.com');

/** A request of the browser that has seen the form of the challenge `c1`. */
const browser = (url: string): Request => {
  const { cookie } = formTokens.issue(new Request(url), 'c1');
  return new Request(url, { headers: { cookie: cookie.split(';')[0] ?? '' } });
};

it('leads back to the sign-in that the user came from', () => {
  const returnTo = returnToOf(uiUrl, challengeIn(new Request('https://login.example.com/sign-up?login_challenge=c1')));
  expect(returnTo).toBe('https://login.example.com/login?login_challenge=c1&account=other');
  expect(returnPath({ formTokens }, browser('https://login.example.com/sign-up/confirm'), returnTo)).toBe(
    '/login?login_challenge=c1&account=other',
  );
});

it('leads to a new sign-in in another browser', () => {
  const returnTo = returnToOf(uiUrl, 'c1');
  expect(returnPath({ formTokens }, new Request('https://login.example.com/sign-up/confirm'), returnTo)).toBe(
    '/account',
  );
});

it.each([undefined, 'https://evil.example/?login_challenge=c2', '//evil.example', 'javascript:alert(1)'])(
  'leads to no page that %s names',
  (returnTo) => {
    expect(returnPath({ formTokens }, browser('https://login.example.com/'), returnTo)).toBe('/account');
  },
);

it('takes the challenge only from a foreign URL', () => {
  const returnTo = 'https://evil.example/?login_challenge=c1';
  expect(returnPath({ formTokens }, browser('https://login.example.com/'), returnTo)).toMatch(/^\/login\?/);
});

it('leaves out a challenge that is too long for the link', () => {
  expect(returnToOf(uiUrl, 'c'.repeat(8190))).toBeUndefined();
});
