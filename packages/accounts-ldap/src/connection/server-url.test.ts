import { expect, test } from 'vitest';
import { parseServerUrl } from './server-url.ts';

test.each(['ldap://localhost', 'ldap://127.0.0.1:1389', 'ldap://127.8.9.10', 'ldap://[::1]'])(
  'a password may travel in clear text on this machine: %s',
  (url) => {
    expect(parseServerUrl(url, false).security).toBe('none');
  },
);

test.each([
  'ldap://127.example.com',
  'ldap://127.0.0.1.example.com',
  'ldap://localhost.example.com',
  'ldap://10.0.0.1',
])('a password never travels in clear text to another machine: %s', (url) => {
  expect(() => parseServerUrl(url, false)).toThrow('clear text');
});
