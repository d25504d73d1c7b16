import { describe, expect, it } from 'vitest';
import {
  address,
  enrolTotp,
  openWithUser,
  password,
  progressOf,
  type TestAccounts,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';
import { totpCode } from './totp-code.ts';
import { useLdap } from './use-ldap.ts';

const databases = useDatabases();
const circumstances = { binding: 'login-challenge-1', address };

const { slapd, ldapOptions } = useLdap({ users: 10, hash: 'ssha' });

/** The staff in LDAP, in a realm, and customers in the accounts database. */
const open = async (): Promise<TestAccounts> => {
  const database = await databases.createUrl('sqlite');
  const ldap = ldapOptions({ realms: ['corp.example', 'CORP'], cacheSeconds: 300 });
  const user = { email: undefined, username: 'user0001', claims: { name: 'Customer' } };
  return openWithUser(database, { directories: [ldap, ...testOptions().directories] }, { user });
};

const signIn = ({ accounts }: TestAccounts, login: string, given: string) =>
  accounts.signIn.password({ login, password: given, ...circumstances });

describe('a realm in LDAP beside an SQL directory', () => {
  it.each(['user0001@corp.example', 'USER0001@Corp.Example', 'CORP\\user0001'])('signs in %s', async (login) => {
    const test = await open();
    const state = await signIn(test, login, 'password-user0001');
    const subject = expect.stringMatching(/^corp\.[0-9a-f-]{36}$/);
    expect(state).toMatchObject({ state: 'done', subject, claims: { email: 'user0001@example.org' } });
    expect(await signIn(test, login, password)).toEqual({ state: 'refused' });
  });

  it('does not ask LDAP for the customer with the same name', async () => {
    const test = await open();
    expect(await signIn(test, 'user0001', password)).toMatchObject({ state: 'done', claims: { name: 'Customer' } });
    expect(await signIn(test, 'user0001', 'password-user0001')).toEqual({ state: 'refused' });
    expect(test.events).not.toContainEqual(expect.objectContaining({ type: 'directory', directory: 'corp' }));
  });

  it('keeps second factors of LDAP users in the accounts database', async () => {
    const test = await open();
    const first = await signIn(test, 'user0002@corp.example', 'password-user0002');
    if (first.state !== 'done') throw new Error(first.state);
    const secret = await enrolTotp(test, first.subject);
    const progress = progressOf(await signIn(test, 'user0002@corp.example', 'password-user0002'), 'factor');
    const code = totpCode(secret, test.clock.now);
    const done = await test.accounts.signIn.factor({ progress, kind: 'totp', code, ...circumstances });
    expect(done).toMatchObject({ state: 'done', subject: first.subject, acr: 'urn:carnet:2fa' });
  });

  it('caches users until they are purged, and reports hits', async () => {
    const test = await open();
    const hits = () => test.events.flatMap((event) => (event.type === 'cache' ? [event.hit] : []));
    for (let count = 0; count < 2; count++) await signIn(test, 'user0003@corp.example', 'password-user0003');
    expect(hits()).toEqual([false, true]);
    expect(await test.accounts.directories.purge({ login: 'user0003@corp.example' })).toEqual({ removed: 1 });
    await signIn(test, 'user0003@corp.example', 'password-user0003');
    expect(hits()).toEqual([false, true, false]);
  });
});

describe('an outage of LDAP', () => {
  it('an outage of LDAP counts neither as a refusal nor as a failed attempt, and does not affect customers', async () => {
    const test = await open();
    const login = 'user0004@corp.example';
    await signIn(test, login, 'password-user0004');
    await slapd.kill();
    try {
      for (let attempt = 0; attempt < 12; attempt++)
        await expect(signIn(test, login, 'password-user0004')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(signIn(test, 'unknown@corp.example', 'x')).rejects.toMatchObject({ code: 'unavailable' });
      expect(await signIn(test, 'user0001', password)).toMatchObject({ state: 'done' });
      const { directories } = await test.accounts.directories.check();
      expect(directories.map(({ steps }) => steps.every(({ ok }) => ok))).toEqual([false, true]);
    } finally {
      await slapd.start();
    }
    await expect
      .poll(() => signIn(test, login, 'password-user0004').catch(() => undefined), { timeout: 60_000, interval: 500 })
      .toMatchObject({ state: 'done' });
  });
});
