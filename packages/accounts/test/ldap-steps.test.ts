import { afterEach, describe, expect, it } from 'vitest';
import type { AccountsOptions } from '../src/index.ts';
import { mailAt, openWithMail } from './mailbox.ts';
import { enrolTotp, openTestAccounts, progressOf, testOptions } from './open-test-accounts.ts';
import { totpCode } from './totp-code.ts';
import { useLdap } from './use-ldap.ts';

const { slapd, ldapOptions, fileIn } = useLdap();
let count = 0;

afterEach(() => slapd.resume());

const binding = 'login-challenge-1';

const ldapDirectory = () => ldapOptions({ realms: ['corp'], isDefault: true, cacheSeconds: 60, base: slapd.suffix });

const createUrl = (): string => {
  count += 1;
  return `sqlite:${fileIn(`${count}.db`)}`;
};

const options = (members: Partial<AccountsOptions>): AccountsOptions =>
  testOptions({ database: createUrl(), directories: [ldapDirectory()], ...members });

describe('a sign-in of a user in LDAP', () => {
  it('sets a new password where the directory asks for it, and the old one must be right', async () => {
    const { accounts, events, mailbox } = await openWithMail(createUrl(), { directories: [ldapDirectory()] });
    const { password } = slapd.user('must-change');
    const began = await accounts.signIn.password({ login: 'must-change', password, binding });
    const progress = progressOf(began, 'password_change');
    expect(await accounts.signIn.resume({ progress, binding })).toMatchObject({ state: 'password_change' });
    const change = (current: string, next: string) =>
      accounts.signIn.newPassword({ progress, password: current, next, binding });
    expect(await change('a wrong password', 'a new long password')).toEqual({ state: 'refused' });
    expect(await change(password, 'short')).toMatchObject({ state: 'weak_password' });
    const done = await change(password, 'a new long password');
    expect(done).toMatchObject({ state: 'done', amr: ['pwd'] });
    const subject = done.state === 'done' ? done.subject : '';
    expect(events).toContainEqual({ type: 'password_changed', subject, by: 'expired' });
    expect(await change(password, 'another long password')).toEqual({ state: 'expired' });
    const notice = await mailAt(mailbox, 0);
    expect(notice.text).toContain('was changed');
    expect(notice.text).toContain('tell the administrators of Example');
  });

  it('loses no attempts and no codes while the directory does not answer, also in the middle of a sign-in', async () => {
    const attempts = { perLogin: 2, perAddress: 100, windowSeconds: 300 };
    const test = await openTestAccounts(options({ attempts }));
    const { accounts, clock } = test;
    const { password } = slapd.user('ben');
    const signIn = () => accounts.signIn.password({ login: 'ben', password, binding });
    const first = await signIn();
    const secret = await enrolTotp(test, first.state === 'done' ? first.subject : '');
    const progress = progressOf(await signIn(), 'factor');
    const factor = () => {
      const code = totpCode(secret, clock.now);
      return accounts.signIn.factor({ progress, kind: 'totp', code, binding });
    };

    await slapd.pause();
    for (let n = 0; n < 3; n += 1) await expect(signIn()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(factor()).rejects.toMatchObject({ code: 'unavailable' });
    slapd.resume();
    expect(await signIn()).toMatchObject({ state: 'factor' });
    // The code was not used up by the outage.
    expect(await factor()).toMatchObject({ state: 'done' });
  });

  it('fails while an earlier directory is down, unless that is optional', async () => {
    const users = [{ ...testOptions().directories[0], realms: [] }] as AccountsOptions['directories'];
    const dead = {
      ...ldapDirectory(),
      name: 'dead',
      subjectPrefix: 'dead.',
      realms: [],
      urls: ['ldaps://127.0.0.1:1'],
    };
    const signIn = async (optional: boolean) => {
      const { accounts } = await openTestAccounts(options({ directories: [{ ...dead, optional }, ...users] }));
      return accounts.signIn.password({ login: 'unknown', password: 'a wrong password', binding });
    };
    await expect(signIn(false)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await signIn(true)).toEqual({ state: 'refused' });
  });
});
