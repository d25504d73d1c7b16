import { describe, expect, test } from 'vitest';
import { asksForAccount, asksForConsent, isQuiet, maySkipLogin, problemOfLogin } from './policy.ts';

const jwtOf = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
const claims = (idToken: object): { claims: string } => ({ claims: JSON.stringify({ id_token: idToken }) });

const now = 1_000_000;
const login = { subject: 'alice', sid: 'a-session', authTime: now - 100, acr: 'silver' };

describe('a remembered login', () => {
  test.each([
    ['without any demand', {}, true],
    ['prompt=none', { prompt: 'none' }, true],
    ['prompt=consent', { prompt: 'consent' }, true],
    ['prompt=login', { prompt: 'login' }, false],
    ['prompt=login beside another value', { prompt: 'consent login' }, false],
    ['prompt=select_account', { prompt: 'select_account' }, false],
    ['prompt=create', { prompt: 'create' }, false],
    ['prompt=registration', { prompt: 'registration' }, false],
    ['a max_age that is as old as the login', { max_age: '100' }, true],
    ['a max_age that is younger than the login', { max_age: '99' }, false],
    ['an id_token_hint of the user', { id_token_hint: jwtOf({ sub: 'alice' }) }, true],
    ['an id_token_hint of another user', { id_token_hint: jwtOf({ sub: 'bob' }) }, false],
    ['an id_token_hint of this login', { id_token_hint: jwtOf({ sub: 'other', sid: 'a-session' }) }, true],
    ['the claim sub of the user', claims({ sub: { value: 'alice' } }), true],
    ['the claim sub of another user', claims({ sub: { value: 'bob' } }), false],
    ['the claim sub without a value', claims({ sub: null }), true],
    ['an essential acr that it has', claims({ acr: { essential: true, values: ['gold', 'silver'] } }), true],
    ['an essential acr that it lacks', claims({ acr: { essential: true, value: 'gold' } }), false],
    ['a voluntary acr that it lacks', claims({ acr: { value: 'gold' } }), true],
    ['an essential acr without a value', claims({ acr: { essential: true } }), true],
    [
      'acr_values beside an essential acr',
      { acr_values: 'silver', ...claims({ acr: { essential: true, value: 'gold' } }) },
      true,
    ],
    ['acr_values with the class that it has', { acr_values: 'gold silver' }, true],
    ['acr_values below its class', { acr_values: 'bronze' }, true],
    ['acr_values above its class', { acr_values: 'gold' }, false],
    ['acr_values that the login app cannot reach', { acr_values: 'platinum' }, true],
    ['acr_values above its class beside one that cannot be reached', { acr_values: 'platinum gold' }, false],
    ['claims of userinfo only', { claims: '{"userinfo":{"email":null}}' }, true],
  ])('%s: may be skipped is %s', (_name, params: Record<string, string>, expected) => {
    expect(maySkipLogin(params, login, { nowSeconds: now, supportedAcrValues: ['bronze', 'silver', 'gold'] })).toBe(
      expected,
    );
  });
});

describe('a login that the user has just made', () => {
  test.each([
    ['prompt=login', { prompt: 'login' }, undefined],
    ['an id_token_hint of another user', { id_token_hint: jwtOf({ sub: 'bob' }) }, 'login_required'],
    ['the claim sub of another user', claims({ sub: { value: 'bob' } }), 'login_required'],
    [
      'an essential acr that it lacks',
      claims({ acr: { essential: true, value: 'gold' } }),
      'unmet_authentication_requirements',
    ],
    ['a voluntary acr that it lacks', claims({ acr: { value: 'gold' } }), undefined],
  ])('%s: the problem is %s', (_name, params: Record<string, string>, expected) => {
    expect(problemOfLogin(params, login)?.error).toBe(expected);
  });
});

test('the values of prompt are read one by one', () => {
  expect(asksForAccount({ prompt: 'login create' })).toBe(true);
  expect(asksForAccount({ prompt: 'recreate' })).toBe(false);
  expect(asksForConsent({ prompt: 'login consent' })).toBe(true);
  expect(asksForConsent({})).toBe(false);
  expect(isQuiet({ prompt: 'none' })).toBe(true);
  expect(isQuiet({ prompt: 'login' })).toBe(false);
});
