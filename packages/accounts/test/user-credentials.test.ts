import { describe, expect, it } from 'vitest';
import { openFederation } from './federation/open-federation.ts';
import { mailAt, openUserWithMail, tokenIn } from './mailbox.ts';
import { engines, enrolTotp, openWithUser, useDatabases } from './open-test-accounts.ts';

const databases = useDatabases();
const page = 'https://login.example.com/recovery/password';
const login = 'ada@example.com';

describe.each(engines)('an administrator of users in %s', (engine) => {
  it('sees the second factors of a user without secrets, and removes them', async () => {
    const test = await openUserWithMail(await databases.createUrl(engine));
    const { subject, mailbox, events } = test;
    const { users } = test.accounts;
    const secret = await enrolTotp(test, subject);
    const { factors } = await users.credentials({ subject });
    expect(factors).toEqual([expect.objectContaining({ kind: 'totp', createdAt: expect.any(Date) })]);
    expect(JSON.stringify(factors)).not.toContain(secret);
    expect(await users.resetFactors({ subject })).toEqual({ removed: 1 });
    expect(await users.resetFactors({ subject })).toEqual({ removed: 0 });
    expect((await users.credentials({ subject })).factors).toEqual([]);
    expect(events.filter(({ type }) => type === 'factor')).toMatchObject([{ action: 'added' }, { action: 'reset' }]);
    expect((await mailAt(mailbox, 1)).recipients).toEqual([login]);
  });

  it('removes an identity at a provider, also the last way to sign in', async () => {
    const test = await openFederation({
      database: await databases.createUrl(engine),
      provider: { signUp: 'automatic' },
    });
    test.upstream.users.set('ada', { name: 'Ada' });
    const done = await test.signIn({ user: 'ada' });
    const subject = done.state === 'done' ? done.subject : '';
    const { users } = test.accounts;
    const { identities } = await users.credentials({ subject });
    expect(identities).toEqual([expect.objectContaining({ linkedAt: expect.any(Date) })]);
    const id = identities[0]?.id ?? '';
    for (const wrong of [
      { subject: 'people.other', id },
      { subject, id: 'unknown' },
    ])
      await expect(users.unlinkIdentity(wrong)).rejects.toMatchObject({ code: 'not_found' });
    await users.unlinkIdentity({ subject, id });
    expect((await users.credentials({ subject })).identities).toEqual([]);
  });

  it('sends a user a link to set a new password, and the old one stays valid until then', async () => {
    const { accounts, subject, mailbox, events } = await openUserWithMail(await databases.createUrl(engine));
    await accounts.users.sendRecovery({ subject });
    const mail = await mailAt(mailbox, 0);
    expect(mail.recipients).toEqual([login]);
    const token = tokenIn(mail, page);
    expect(await accounts.signIn.password({ login, password: 'correct horse battery', binding: 'c' })).toMatchObject({
      state: 'done',
    });
    expect(await accounts.recovery.confirm({ token, password: 'another long password' })).toMatchObject({ ok: true });
    expect(events.filter(({ type }) => type === 'user')).toEqual([{ type: 'user', action: 'send_recovery', subject }]);
  });
});

describe('a recovery email of an administrator', () => {
  it('an email with a link to another site, or to a disabled or unknown user, is refused', async () => {
    const { accounts, subject } = await openUserWithMail(await databases.createUrl('sqlite'));
    const { users } = accounts;
    const elsewhere = { subject, linkBase: 'https://evil.example/recovery' };
    await expect(users.sendRecovery(elsewhere)).rejects.toMatchObject({ code: 'foreign_link' });
    await expect(users.sendRecovery({ subject: 'people.unknown' })).rejects.toMatchObject({ code: 'not_found' });
    await users.disable({ subject });
    await expect(users.sendRecovery({ subject })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('an email without a mail server is refused as not supported', async () => {
    const { accounts, subject } = await openWithUser(await databases.createUrl('sqlite'));
    await expect(accounts.users.sendRecovery({ subject })).rejects.toMatchObject({ code: 'not_supported' });
  });
});
