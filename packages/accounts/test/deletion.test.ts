import { DatabaseSync } from 'node:sqlite';
import { openAccountsDatabase } from '@carnet/accounts-sql';
import { describe, expect, it } from 'vitest';
import { mailAt, openUserWithMail } from './mailbox.ts';
import {
  type Engine,
  engines,
  enrolTotp,
  openTestAccounts,
  openWithUser,
  password,
  progressOf,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';
import { totpCode } from './totp-code.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const binding = 'c';
const graceMs = 14 * 86_400_000;

const open = async (engine: Engine = 'sqlite') => {
  const test = await openUserWithMail(await databases.createUrl(engine));
  const signIn = () => test.accounts.signIn.password({ login, password, binding });
  const keep = (progress: string) => test.accounts.signIn.keepAccount({ progress, binding });
  return { ...test, signIn, keep };
};

describe.each(engines)('an account in %s that its user deletes', (engine) => {
  it('a sign-in in the grace period keeps the account; the email names the day', async () => {
    const { accounts, subject, clock, events, mailbox, signIn, keep } = await open(engine);
    expect((await accounts.account.show({ subject })).can.deleteAccount).toBe(true);
    const deleteAt = new Date(clock.now + graceMs);
    expect(await accounts.account.delete({ subject, language: 'en' })).toEqual({ ok: true, deleteAt });
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(clock.now + graceMs);
    const mail = await mailAt(mailbox, 0);
    expect([mail.recipients, mail.text]).toEqual([[login], expect.stringContaining(`deleted on ${day}`)]);
    expect((await accounts.account.show({ subject })).user).toBeUndefined();

    clock.now += graceMs - 1;
    expect(await accounts.sweep()).toBe(0);
    const offered = await signIn();
    expect(offered).toMatchObject({ user: { name: 'Ada' }, deleteAt });
    const progress = progressOf(offered, 'deletion');
    expect(await accounts.signIn.keepAccount({ progress, binding: 'another' })).toEqual({ state: 'expired' });
    expect(await accounts.signIn.resume({ progress, binding })).toMatchObject({ state: 'deletion' });
    expect(await keep(progress)).toMatchObject({ state: 'done', subject });
    clock.now += graceMs;
    expect(await accounts.sweep()).toBe(0);
    expect(await signIn()).toMatchObject({ state: 'done' });
    const actions = events.flatMap((event) => (event.type === 'deletion' ? [event.action] : []));
    expect(actions).toEqual(['revoke', 'requested', 'cancelled']);
  });

  it('one of two processes deletes the account after the grace period', async () => {
    const test = await open(engine);
    const { accounts, database, subject, clock, events, signIn } = test;
    await enrolTotp(test, subject);
    await accounts.recovery.request({ login, linkBase: 'https://login.example.com/recovery/password' });
    await accounts.account.delete({ subject });
    const other = await openTestAccounts(testOptions({ database }));
    clock.now += graceMs;
    other.clock.now = clock.now;
    expect(await signIn()).toMatchObject({ state: 'factor' });
    const removed = await Promise.all([accounts.sweep(), other.accounts.sweep()]);
    expect(removed.toSorted()).toEqual([0, 1]);
    expect(await signIn()).toEqual({ state: 'refused' });
    const actions = [...events, ...other.events].flatMap((event) => (event.type === 'deletion' ? [event.action] : []));
    expect(actions.slice(0, 3)).toEqual(['revoke', 'requested', 'revoke']);
    expect(actions.filter((action) => action === 'deleted')).toHaveLength(1);
    const opened = await openAccountsDatabase({ url: database });
    try {
      for (const table of [
        'carnet_user',
        'carnet_identifier',
        'carnet_credential',
        'carnet_factor',
        'carnet_link',
      ] as const)
        expect(await opened.tables.selectFrom(table).selectAll().execute()).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});

describe('an account that its user deletes', () => {
  it('the password alone does not keep the account if the user has a second factor', async () => {
    const test = await open();
    const { accounts, subject, clock, signIn, keep } = test;
    const secret = await enrolTotp(test, subject);
    await accounts.account.delete({ subject });
    const progress = progressOf(await signIn(), 'factor');
    expect(await keep(progress)).toMatchObject({ state: 'factor' });
    const code = totpCode(secret, clock.now);
    const offered = await accounts.signIn.factor({ progress, kind: 'totp', code, binding });
    expect(await keep(progressOf(offered, 'deletion'))).toMatchObject({ state: 'done', subject });
  });

  it('does not sign in at the end of the grace period, before it is deleted', async () => {
    const { accounts, subject, clock, signIn, keep } = await open();
    await accounts.account.delete({ subject });
    clock.now += graceMs - 1;
    const offered = await signIn();
    clock.now += 1;
    expect(await signIn()).toEqual({ state: 'refused' });
    expect(await keep(progressOf(offered, 'deletion'))).toEqual({ state: 'refused' });
    expect(await accounts.sweep()).toBe(1);
  });

  it('does not sign in if it is deleted after its password was checked, with its second factor', async () => {
    const database = await databases.createUrl('sqlite');
    const file = new DatabaseSync(database.slice('sqlite:'.length));
    const test = await openWithUser(
      database,
      {},
      {
        // As a sweep does, but before the next query of the sign-in.
        onEvent: (event) => {
          if (event.type === 'directory' && event.step === 'verify')
            file.exec('delete from carnet_user; delete from carnet_factor; delete from carnet_credential');
        },
      },
    );
    await enrolTotp(test, test.subject);
    const signedIn = await test.accounts.signIn.password({ login, password, binding });
    file.close();
    expect(signedIn).toEqual({ state: 'refused' });
  });

  it('/validate/check refuses an account that its user has deleted', async () => {
    const validateCheck = { enabled: true, mode: 'pin', allow: ['127.0.0.1'] } as const;
    const { accounts, subject } = await openWithUser(await databases.createUrl('sqlite'), { validateCheck });
    await accounts.factors.pin({ subject, pin: '4711' });
    const check = () =>
      accounts.validateCheck?.({
        address: '127.0.0.1',
        body: new URLSearchParams({ user: login, pass: '4711' }).toString(),
      });
    expect(await check()).toMatchObject({ body: { result: { value: true } } });
    await accounts.account.delete({ subject });
    expect(await check()).toMatchObject({ body: { result: { value: false } } });
  });

  it('stays while its sessions and tokens cannot be revoked, at the request and at the end of the grace period', async () => {
    const revocation = { fails: true };
    const database = await databases.createUrl('sqlite');
    const { accounts, clock, lines, subject } = await openWithUser(
      database,
      {},
      {
        onEvent: async (event) => {
          if (event.type === 'deletion' && event.action === 'revoke' && revocation.fails)
            throw new Error('the store is down');
        },
      },
    );
    await expect(accounts.account.delete({ subject })).rejects.toThrow('the store is down');
    expect((await accounts.account.show({ subject })).user).toMatchObject({ name: 'Ada' });
    revocation.fails = false;
    expect(await accounts.account.delete({ subject })).toMatchObject({ ok: true });
    revocation.fails = true;
    clock.now += graceMs;
    expect(await accounts.sweep()).toBe(0);
    expect(lines.join()).toContain('The next sweep tries again');
    revocation.fails = false;
    expect(await accounts.sweep()).toBe(1);
  });

  it('deletion is off for users of other directories, and if accounts.deletion is off', async () => {
    const { accounts, database, subject } = await open();
    const off = { ok: false, error: 'not_supported' };
    expect(await accounts.account.delete({ subject: 'staff.1' })).toEqual(off);
    expect(await accounts.account.delete({ subject: 'people.unknown' })).toEqual(off);
    const deletion = { enabled: false, graceSeconds: 60 };
    const { accounts: without } = await openTestAccounts(testOptions({ database, deletion }));
    expect((await without.account.show({ subject })).can.deleteAccount).toBe(false);
    expect(await without.account.delete({ subject })).toEqual(off);
  });
});
