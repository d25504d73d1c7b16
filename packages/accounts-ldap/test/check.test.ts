import { type SlapdServer, startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import type { LdapDirectoryOptions } from '../src/index.ts';
import { open } from './directory.ts';

const slapd = beforeTests(() => startSlapd({ users: 1 }));

const check = async (options: Partial<LdapDirectoryOptions> = {}) => {
  const directory = await open(slapd, options);
  return (await directory.check()).map(({ target, step, ok, detail }) => ({ target, step, ok, detail }));
};

test('a check has the steps of each server', async () => {
  const steps = await check({ urls: [slapd.tlsUrl, slapd.url], groups: 'search' });
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  const stepsOf = (url: string) => steps.filter(({ target }) => target === url).map(({ step }) => step);
  expect(stepsOf(slapd.tlsUrl)).toEqual(['connect', 'tls', 'bind', 'search', 'group search']);
  expect(stepsOf(slapd.url)).toEqual(['connect', 'starttls', 'tls', 'bind', 'search', 'group search']);
});

test.each<[string, string, RegExp, (server: SlapdServer) => Partial<LdapDirectoryOptions>]>([
  ['connect', 'a closed port', /No server listens/, () => ({ urls: ['ldaps://127.0.0.1:1'] })],
  ['connect', 'an unknown host', /does not resolve/, () => ({ urls: ['ldaps://ldap.invalid'] })],
  ['tls', 'a port without TLS', /speaks TLS/, ({ port }) => ({ urls: [`ldaps://127.0.0.1:${port}`] })],
  ['tls', 'an unknown authority', /caFile/, () => ({ ca: undefined })],
  ['tls', 'another name', /name in the server's/, ({ tlsPort }) => ({ urls: [`ldaps://localhost:${tlsPort}`] })],
  ['bind', 'a wrong password', /49.*bindDn and bindPassword/, () => ({ bindPassword: 'wrong' })],
  ['search', 'a base that does not exist', /32.*does not exist/, () => ({ base: 'ou=no,dc=example,dc=org' })],
  ['search', 'a base elsewhere', /10.*global catalogue/, ({ remoteDn }) => ({ base: `cn=elsewhere,${remoteDn}` })],
  ['search', 'a filter without users', /no user matches/, () => ({ filter: '(objectClass=device)' })],
  ['search', 'an id that is not readable', /cannot read employeeNumber/, () => ({ idAttribute: 'employeeNumber' })],
  ['group search', 'no groups', /no group/, ({ peopleDn }) => ({ groups: 'search', groupBase: peopleDn })],
])('the step %s fails for %s and says what to do', async (step, _, detail, options) => {
  const steps = await check(options(slapd));
  expect(steps.at(-1)).toMatchObject({ step, ok: false, detail: expect.stringMatching(detail) });
  expect(steps.slice(0, -1).every(({ ok }) => ok)).toBe(true);
  expect(JSON.stringify(steps)).not.toContain(slapd.reader.password);
});

test('a check reports referrals', async () => {
  const steps = await check({ base: slapd.suffix });
  expect(steps.at(-1)?.detail).toContain('on other servers are not found: ldap://127.0.0.1:1/');
});
