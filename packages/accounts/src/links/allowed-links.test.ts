import { describe, expect, it } from 'vitest';
import { createAllowedLinks } from './allowed-links.ts';

const links = createAllowedLinks(['https://login.example.com', 'http://localhost:3000']);
const base = 'https://login.example.com/sign-up/confirm';
const foreign = expect.objectContaining({ code: 'foreign_link' });

describe('the links of emails', () => {
  it('have the token as a parameter beside those of the base', () => {
    expect(links.of({ linkBase: `${base}?ui=de` }).withToken('a b')).toBe(`${base}?ui=de&token=a+b`);
    expect(links.of({ linkBase: 'http://localhost:3000/x' }).withToken('t')).toBe('http://localhost:3000/x?token=t');
  });

  it.each([
    'https://evil.example/',
    'http://login.example.com/',
    'https://login.example.com:8443/',
    'https://login.example.com@evil.example/',
    'https://user:password@login.example.com/',
    'https://login.example.com.evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'login.example.com',
    '',
  ])('do not lead to %j', (linkBase) => {
    expect(() => links.of({ linkBase })).toThrow(foreign);
  });

  it.each([undefined, '/login?login_challenge=c', 'https://login.example.com/account'])('return to %j', (returnTo) => {
    expect(links.of({ linkBase: base, returnTo }).returnTo).toBe(returnTo);
  });

  it.each(['//evil.example', '/\\evil.example', '/\t/evil.example', '/a\\..\\x', 'https://evil.example', 'login', ''])(
    'do not return to %j',
    (returnTo) => {
      expect(() => links.of({ linkBase: base, returnTo })).toThrow(foreign);
    },
  );
});
