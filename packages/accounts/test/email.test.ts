import { describe, expect, it } from 'vitest';
import { firstMails, mailAt, openUserWithMail, tokenIn } from './mailbox.ts';
import {
  address,
  createUser,
  type Engine,
  engines,
  openTestAccounts,
  password,
  setUserState,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';

const databases = useDatabases();
const linkBase = 'https://login.example.com/account/email/confirm';
const from = 'ada@example.com';
const to = 'ada@example.org';
const invalid = { ok: false, error: 'invalid_token' };

const open = async (engine: Engine = 'sqlite') => {
  const test = await openUserWithMail(await databases.createUrl(engine));
  const { subject } = test;
  /** Requests a new address. Returns the proof of the browser. */
  const request = async (email: string, members = {}): Promise<string> => {
    const asked = { subject, email, linkBase, address, ...members };
    const requested = await test.accounts.account.changeEmail(asked);
    if (!requested.ok) throw new Error(requested.error);
    return requested.proof;
  };
  /** The emails that were sent so far, by the order of their recipients. */
  const mailsOf = async (count: number) => {
    const mails = await firstMails(test.mailbox, count);
    return (recipient: string) => mails.filter(({ recipients }) => recipients[0] === recipient);
  };
  const tokenFor = async (recipient: string, count = 2): Promise<string> => {
    const mail = (await mailsOf(count))(recipient).at(-1);
    return tokenIn(mail ?? { text: '' }, linkBase);
  };
  return { ...test, request, mailsOf, tokenFor };
};

describe.each(engines)('a new email address with users in %s', (engine) => {
  it('opening the link once stores the address as verified; both changes are notified to the previous address', async () => {
    const { accounts, subject, request, mailsOf, tokenFor, events } = await open(engine);
    expect((await accounts.account.show({ subject })).can).toMatchObject({ changeEmail: true });
    const proof = await request('Ada@Example.org', { language: 'en' });
    const token = await tokenFor(to);
    expect((await accounts.account.show({ subject })).claims).toMatchObject({ email: from });
    const confirm = () => accounts.account.confirmEmail({ subject, token, proof });
    expect(await confirm()).toEqual({ ok: true, user: { subject, name: 'Ada', detail: to } });
    expect(await confirm()).toEqual(invalid);
    const signIn = (login: string) => accounts.signIn.password({ login, password, binding: 'c' });
    expect(await signIn(from)).toEqual({ state: 'refused' });
    expect(await signIn(to)).toMatchObject({ state: 'done', subject, claims: { email: to, email_verified: true } });
    const mails = (await mailsOf(3))(from).map(({ text }) => text);
    expect(mails).toEqual([expect.stringContaining('was requested'), expect.stringContaining('was replaced')]);
    expect(mails.join('')).not.toContain(to);
    const changes = events.filter(({ type }) => type === 'email');
    expect(changes).toMatchObject([
      { action: 'requested', subject, previous: from },
      { action: 'changed', subject, previous: from },
    ]);
  });
});

describe('a new email address', () => {
  it('requests of other users whose login name is that of the count do not block the change', async () => {
    const { accounts, subject, request } = await open();
    for (const login of [`email ${subject}`, subject]) {
      for (let count = 0; count < 6; count += 1) {
        await accounts.recovery.request({
          login,
          linkBase: 'https://login.example.com/recovery',
          address: `198.51.100.${count}`,
        });
      }
    }
    await request(to);
  });

  it('the change is confirmed by the user who requested it alone, in the browser that requested it', async () => {
    const { accounts, database, subject, request, tokenFor } = await open();
    const other = await createUser(database, { email: 'eve@example.com' });
    const proof = await request(to);
    const token = await tokenFor(to);
    const confirm = accounts.account.confirmEmail;
    expect(await confirm({ subject: other, token, proof })).toEqual(invalid);
    for (const forged of ['', 'of another browser'])
      expect(await confirm({ subject, token, proof: forged })).toEqual(invalid);
    expect(await confirm({ subject, token: `${token.slice(0, -4)}AAAA`, proof })).toEqual(invalid);
    expect(await accounts.recovery.confirm({ token, password: 'another long password' })).toEqual(invalid);
    expect(await confirm({ subject, token, proof })).toMatchObject({ ok: true });
  });

  it('a taken address gets the answer of a free one, with the same notice; the owner gets another email', async () => {
    const { accounts, database, request, mailsOf } = await open();
    await createUser(database, { email: 'eve@example.com' });
    expect(await request('eve@example.com')).toMatch(/^[\w-]{22}$/);
    const mails = await mailsOf(2);
    expect(mails(from)).toMatchObject([{ text: expect.stringContaining('was requested') }]);
    const [mail] = mails('eve@example.com');
    expect(mail?.text).toContain('already belongs to another account');
    expect(mail?.text).not.toMatch(/token=|ada@example/);
    const signIn = await accounts.signIn.password({ login: from, password, binding: 'c' });
    expect(signIn).toMatchObject({ state: 'done' });
  });

  it('the change is refused if another user has taken the address in the meantime', async () => {
    const { accounts, database, subject, request, tokenFor } = await open();
    const proof = await request(to);
    const token = await tokenFor(to);
    await createUser(database, { email: to });
    const confirmed = await accounts.account.confirmEmail({ subject, token, proof });
    expect(confirmed).toEqual({ ok: false, error: 'already_registered' });
  });

  it('the link expires after a new password, another new address, or its time', async () => {
    const { accounts, subject, request, tokenFor, clock } = await open();
    const confirm = accounts.account.confirmEmail;
    const first = { subject, proof: await request(to), token: await tokenFor(to) };
    const current = { subject, current: password, next: 'another long password' };
    expect(await accounts.account.changePassword(current)).toEqual({ ok: true });
    expect(await confirm(first)).toEqual(invalid);
    const second = { subject, proof: await request(to), token: await tokenFor(to, 5) };
    const third = { subject, proof: await request('ada@example.net'), token: await tokenFor('ada@example.net', 7) };
    expect(await confirm(second)).toMatchObject({ ok: true });
    expect(await confirm(third)).toEqual(invalid);
    const last = { subject, proof: await request('ada@example.net'), token: await tokenFor('ada@example.net', 10) };
    clock.now += 3_600_000;
    expect(await confirm(last)).toEqual(invalid);
  });

  it('email is sent to the address as it is stored: normalization may change ASCII case only, and links lead to the pages only', async () => {
    const { accounts, subject, mailbox } = await open();
    const request = (email: string, page = linkBase) =>
      accounts.account.changeEmail({ subject, email, linkBase: page });
    for (const email of ['\u017fam@example.org', '\uff53am@example.org', 'sam', 'a@b.example\r\nBcc: c@d.example'])
      expect(await request(email)).toEqual({ ok: false, error: 'invalid_email' });
    expect(await request('ADA@example.com')).toEqual({ ok: false, error: 'unchanged' });
    await expect(request(to, 'https://evil.example/')).rejects.toMatchObject({ code: 'foreign_link' });
    expect(mailbox.received).toEqual([]);
  });

  it('one user may request a new address five times an hour, for any address', async () => {
    const { accounts, subject, mailbox, clock } = await open();
    const request = (index: number) =>
      accounts.account.changeEmail({ subject, email: `ada${index}@example.org`, linkBase });
    for (let index = 0; index < 5; index += 1) expect(await request(index)).toMatchObject({ ok: true });
    expect(await request(5)).toEqual({ ok: false, error: 'limited' });
    await mailAt(mailbox, 9);
    expect(mailbox.received).toHaveLength(10);
    clock.now += 3_600_000;
    expect(await request(6)).toMatchObject({ ok: true });
  });

  it('makes links to a new password void that were sent to the previous address', async () => {
    const { accounts, subject, request, tokenFor, mailsOf } = await open();
    const recoveryBase = 'https://login.example.com/recovery/password';
    await accounts.recovery.request({ login: from, linkBase: recoveryBase });
    const recovery = tokenIn((await mailsOf(1))(from)[0] ?? { text: '' }, recoveryBase);
    const proof = await request(to);
    expect(await accounts.recovery.inspect({ token: recovery })).toMatchObject({ ok: true });
    await accounts.account.confirmEmail({ subject, token: await tokenFor(to, 3), proof });
    expect(await accounts.recovery.inspect({ token: recovery })).toEqual(invalid);
  });

  it('the change is off for disabled users, users of other directories, and without a mail server', async () => {
    const { accounts, database, subject } = await open();
    const asked = { email: to, linkBase };
    const off = { ok: false, error: 'not_supported' };
    expect(await accounts.account.changeEmail({ ...asked, subject: 'staff.1' })).toEqual(off);
    await setUserState(database, subject, 'disabled');
    expect(await accounts.account.changeEmail({ ...asked, subject })).toEqual(off);
    await setUserState(database, subject, 'active');
    const { accounts: withoutMail } = await openTestAccounts(testOptions({ database }));
    expect((await withoutMail.account.show({ subject })).can.changeEmail).toBe(false);
    expect(await withoutMail.account.changeEmail({ ...asked, subject })).toEqual(off);
  });
});
