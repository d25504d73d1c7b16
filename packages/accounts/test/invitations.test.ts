import { describe, expect, it } from 'vitest';
import { type Mailbox, mailAt, openWithMail, tokenIn } from './mailbox.ts';
import { createUser, engines, openWithUser, password, testOptions, useDatabases } from './open-test-accounts.ts';

const databases = useDatabases();
const email = 'bob@example.com';
const page = 'https://login.example.com/invitation';
const invalid = { ok: false, error: 'invalid_token' };

const open = async (engine: (typeof engines)[number] = 'sqlite') => {
  const database = await databases.createUrl(engine);
  const test = await openWithMail(database);
  const { users, invitation, signIn } = test.accounts;
  const tokenAt = async (mailbox: Mailbox, index: number) => tokenIn(await mailAt(mailbox, index), page);
  return { ...test, database, users, invitation, signIn, tokenAt };
};

describe.each(engines)('an invitation of a user in %s', (engine) => {
  it('the user chooses the password with the link, once, and the address is confirmed', async () => {
    const { users, invitation, signIn, mailbox, events, tokenAt } = await open(engine);
    const { subject } = await users.create({ email, claims: { name: 'Bob', locale: 'de' }, invite: true });
    const mail = await mailAt(mailbox, 0);
    expect(mail.recipients).toEqual([email]);
    expect(mail.text).toContain('Bei Example wurde ein Konto für Sie angelegt: bob@example.com');
    expect(mail.text).toContain('7 Tage');
    const token = await tokenAt(mailbox, 0);
    expect(await invitation.inspect({ token })).toEqual({ ok: true, user: expect.objectContaining({ subject }) });
    expect(await invitation.accept({ token, password: 'short' })).toMatchObject({ error: 'weak_password' });
    const accept = () => invitation.accept({ token, password });
    const answers = await Promise.all([accept(), accept(), accept()]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await accept()).toEqual(invalid);
    expect(await invitation.inspect({ token })).toEqual(invalid);
    expect(await signIn.password({ login: email, password, binding: 'c' })).toMatchObject({ state: 'done', subject });
    expect(await users.get({ subject })).toMatchObject({ hasPassword: true, claims: { email_verified: true } });
    const recorded = events.filter(({ type }) => ['user', 'invitation_accepted', 'password_changed'].includes(type));
    expect(recorded).toEqual([
      { type: 'user', action: 'create', subject },
      { type: 'user', action: 'invite', subject },
      { type: 'invitation_accepted', subject },
    ]);
  });

  it('a new invitation makes the one before void, and leaves those of other users', async () => {
    const { users, invitation, mailbox, tokenAt } = await open(engine);
    const { subject } = await users.create({ email, invite: true });
    const first = await tokenAt(mailbox, 0);
    await users.create({ email: 'eve@example.com', invite: true });
    const ofOther = await tokenAt(mailbox, 1);
    await users.invite({ subject });
    const second = await tokenAt(mailbox, 2);
    expect(await invitation.accept({ token: first, password })).toEqual(invalid);
    expect(await invitation.accept({ token: second, password })).toMatchObject({ ok: true });
    expect(await invitation.inspect({ token: ofOther })).toMatchObject({ ok: true });
  });
});

describe('an invitation', () => {
  it('the link is void after a week, and once the user is disabled, has a password or has another address', async () => {
    const { users, invitation, mailbox, clock, tokenAt, accounts } = await open();
    const { subject } = await users.create({ email, invite: true });
    const token = await tokenAt(mailbox, 0);
    const isOpen = async () => (await invitation.inspect({ token })).ok;
    await users.update({ subject, state: 'disabled' });
    expect(await isOpen()).toBe(false);
    await users.update({ subject, state: 'active', email: 'robert@example.com' });
    expect(await isOpen()).toBe(false);
    await users.update({ subject, email });
    expect(await isOpen()).toBe(true);
    expect(await accounts.recovery.inspect({ token })).toEqual(invalid);
    clock.now += 7 * 86_400_000;
    expect(await isOpen()).toBe(false);
    expect(await invitation.accept({ token, password })).toEqual(invalid);
    await users.invite({ subject });
    const next = await tokenAt(mailbox, 1);
    const linkBase = 'https://login.example.com/recovery/password';
    await accounts.recovery.request({ login: email, linkBase });
    const recovery = tokenIn(await mailAt(mailbox, 2), linkBase);
    expect(await accounts.recovery.confirm({ token: recovery, password })).toMatchObject({ ok: true });
    expect(await invitation.accept({ token: next, password: 'another long password' })).toEqual(invalid);
  });

  it.each([
    [{ username: 'bob' }, 'email'],
    [{ email, password }, 'password'],
    [{ email, passwordHash: '{SSHA}x' }, 'password'],
    [{ email, state: 'disabled' as const }, 'state'],
  ])('a user who cannot be invited is not created: %j', async (user, field) => {
    const { users, events } = await open();
    const refused = { code: 'invalid_input', field };
    await expect(users.create({ ...user, invite: true })).rejects.toMatchObject(refused);
    expect((await users.list()).users).toEqual([]);
    expect(events).toContainEqual({ type: 'user', action: 'create', subject: undefined, reason: 'invalid_input' });
  });

  it('a user who has a password is not invited, and neither is one of no directory', async () => {
    const { users, database, mailbox } = await open();
    const subject = await createUser(database);
    await expect(users.invite({ subject })).rejects.toMatchObject({ code: 'invalid_input', field: 'password' });
    await expect(users.invite({ subject: 'people.none' })).rejects.toMatchObject({ code: 'not_found' });
    expect(mailbox.received).toEqual([]);
  });

  it('without a mail server or a page no user is invited, and the error names the remedy', async () => {
    const remedy = { code: 'not_supported', message: expect.stringContaining('Set accounts.mail') };
    const { accounts } = await openWithUser(await databases.createUrl('sqlite'));
    await expect(accounts.users.create({ email, invite: true })).rejects.toMatchObject(remedy);
    expect((await accounts.users.list({ search: email })).users).toEqual([]);
    const invitations = { ...testOptions().invitations, page: undefined };
    const withoutPage = await openWithMail(await databases.createUrl('sqlite'), { invitations });
    await expect(withoutPage.accounts.users.create({ email, invite: true })).rejects.toMatchObject(remedy);
  });
});
