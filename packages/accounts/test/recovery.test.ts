import { describe, expect, it } from 'vitest';
import { mailAt, openUserWithMail, tokenIn } from './mailbox.ts';
import { address, createUser, engines, password, useDatabases } from './open-test-accounts.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const chosen = 'another long password';
const linkBase = 'https://login.example.com/recovery/password';
const asked = { login, linkBase, address } as const;
const invalid = { ok: false, error: 'invalid_token' };

describe.each(engines)('a forgotten password of a user in %s', (engine) => {
  it('the link of the email replaces the password, once', async () => {
    const { accounts, events, mailbox, subject } = await openUserWithMail(await databases.createUrl(engine));
    expect(await accounts.recovery.request({ ...asked, returnTo: '/login?login_challenge=c' })).toEqual({
      ok: true,
    });
    const mail = await mailAt(mailbox, 0);
    expect(mail.recipients).toEqual([login]);
    const token = tokenIn(mail, linkBase);
    expect(await accounts.recovery.inspect({ token })).toMatchObject({ ok: true, user: { subject, name: 'Ada' } });
    expect(await accounts.recovery.confirm({ token, password: 'short' })).toMatchObject({ error: 'weak_password' });

    const confirm = () => accounts.recovery.confirm({ token, password: chosen });
    const answers = await Promise.all([confirm(), confirm(), confirm()]);
    expect(answers.filter(({ ok }) => ok)).toEqual([
      { ok: true, user: expect.objectContaining({ subject }), returnTo: '/login?login_challenge=c' },
    ]);
    expect(events.filter(({ type }) => type === 'password_changed')).toEqual([
      { type: 'password_changed', subject, by: 'recovery' },
    ]);
    const signIn = (text: string) => accounts.signIn.password({ login, password: text, binding: 'c' });
    expect(await signIn(password)).toEqual({ state: 'refused' });
    expect(await signIn(chosen)).toMatchObject({ state: 'done', subject });
    expect(await accounts.recovery.inspect({ token })).toEqual(invalid);
    expect((await mailAt(mailbox, 1)).recipients).toEqual([login]);
  });
});

describe('a forgotten password', () => {
  it('gets no email for an unknown, a disabled or a foreign user, and the same answer', async () => {
    const { accounts, mailbox, database } = await openUserWithMail(await databases.createUrl('sqlite'));
    await createUser(database, { email: 'disabled@example.com', state: 'disabled' });
    for (const each of ['unknown@example.com', 'disabled@example.com', '*', 'ada', login]) {
      expect(await accounts.recovery.request({ ...asked, login: each })).toEqual({ ok: true });
    }
    expect((await mailAt(mailbox, 0)).recipients).toEqual([login]);
    await accounts.close();
    expect(mailbox.received).toHaveLength(1);
  });

  it('an older link does not replace the password after it has changed', async () => {
    const { accounts, mailbox, subject } = await openUserWithMail(await databases.createUrl('sqlite'));
    await accounts.recovery.request(asked);
    const token = tokenIn(await mailAt(mailbox, 0), linkBase);
    const change = { subject, current: password, next: chosen };
    expect(await accounts.account.changePassword(change)).toEqual({ ok: true });
    expect(await accounts.recovery.inspect({ token })).toEqual(invalid);
    expect(await accounts.recovery.confirm({ token, password: 'a third password' })).toEqual(invalid);
  });

  it('the link works for half an hour, and never leads to another site', async () => {
    const { accounts, clock, mailbox } = await openUserWithMail(await databases.createUrl('sqlite'));
    const foreign = { ...asked, linkBase: 'https://evil.example/' };
    await expect(accounts.recovery.request(foreign)).rejects.toMatchObject({ code: 'foreign_link' });
    await accounts.recovery.request(asked);
    const token = tokenIn(await mailAt(mailbox, 0), linkBase);
    clock.now += 31 * 60_000;
    expect(await accounts.recovery.confirm({ token, password: chosen })).toEqual(invalid);
  });
});
