import { expect, it } from 'vitest';
import { createSealedCookies } from '../cookies/sealed-cookie.ts';
import { createRememberedAccounts } from './remembered-accounts.ts';

const accounts = createRememberedAccounts(
  createSealedCookies({ secrets: ['a'.repeat(32)], secure: false, issuer: new URL('http://op') }),
);
const annabel = { login: 'annabel@example.com', name: 'Annabel' };
const named = (login: string) => ({ login, name: login });

const requestWith = (setCookie = '') =>
  new Request('http://ui/', { headers: { cookie: setCookie.split(';')[0] ?? '' } });
const after = (...logins: readonly string[]) => {
  let request = requestWith();
  for (const login of logins) request = requestWith(accounts.add(request, named(login)));
  return request;
};

it('the last five accounts are remembered, each once, the last one first', () => {
  const logins = accounts.list(after('a', 'b', 'a', 'c', 'd', 'e', 'f')).map(({ login }) => login);
  expect(logins).toEqual(['f', 'e', 'd', 'c', 'a']);
});

it('an account can be removed, and no cookie is left after the last', () => {
  const left = requestWith(accounts.remove(after('a', 'b'), 'a'));
  expect(accounts.list(left)).toEqual([named('b')]);
  expect(accounts.remove(left, 'b')).toContain('Max-Age=0');
});

it('five accounts of the maximum size fit into a cookie; a longer one is not remembered', () => {
  const long = (letter: string) => letter.repeat(184);
  const request = after(...['a', 'b', 'c', 'd', 'e'].map(long));
  expect(accounts.list(request)).toHaveLength(5);
  expect(accounts.add(request, named('x'.repeat(300)))).toBeUndefined();
});

it('the name is not readable in the cookie', () => {
  const value = accounts.add(requestWith(), annabel)?.split(/[=;]/)[1] ?? '';
  expect(Buffer.from(value, 'base64url').toString('latin1')).not.toMatch(/annabel/i);
});
