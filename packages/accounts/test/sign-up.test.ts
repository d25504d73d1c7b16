import { describe, expect, it } from 'vitest';
import { mailAt, openUserWithMail, openWithMail, tokenIn } from './mailbox.ts';
import { address, createUser, engines, openTestAccounts, testOptions, useDatabases } from './open-test-accounts.ts';

const databases = useDatabases();
const email = 'grace@example.com';
const password = 'a long enough password';
const linkBase = 'https://login.example.com/sign-up/confirm';
const asked = { email, password, name: 'Grace', linkBase, address } as const;

describe.each(engines)('sign-up with users in %s', (engine) => {
  it('creates the user when the link of the email is opened, once', async () => {
    const { accounts, events, mailbox } = await openWithMail(await databases.createUrl(engine));
    const requested = await accounts.signUp.request({ ...asked, returnTo: '/login?login_challenge=c' });
    expect(requested).toEqual({ ok: true, proof: expect.any(String) });
    const mail = await mailAt(mailbox, 0);
    expect(mail.recipients).toEqual([email]);
    const signIn = () => accounts.signIn.password({ login: email, password, binding: 'c' });
    expect(await signIn()).toEqual({ state: 'refused' });

    const token = tokenIn(mail, linkBase);
    const proof = requested.ok ? requested.proof : '';
    const confirmed = await accounts.signUp.confirm({ token, proof });
    expect(confirmed).toMatchObject({ ok: true, user: { name: 'Grace' }, returnTo: '/login?login_challenge=c' });
    expect(await signIn()).toMatchObject({ state: 'done', claims: { email, email_verified: true, name: 'Grace' } });
    expect(await accounts.signUp.confirm({ token, proof })).toEqual({ ok: false, error: 'invalid_token' });
    expect(events).toContainEqual({ type: 'signed_up', subject: confirmed.ok ? confirmed.user.subject : '' });
  });

  it('begins the sign-in of the browser that confirms, for its login challenge only', async () => {
    const { accounts, mailbox } = await openWithMail(await databases.createUrl(engine));
    const requested = await accounts.signUp.request(asked);
    const token = tokenIn(await mailAt(mailbox, 0), linkBase);
    const proof = requested.ok ? requested.proof : '';
    const confirmed = await accounts.signUp.confirm({ token, proof, binding: 'c1' });
    const progress = (confirmed.ok && confirmed.progress) || '';
    expect(await accounts.signIn.resume({ progress, binding: 'c2' })).toEqual({ state: 'expired' });
    const subject = confirmed.ok ? confirmed.user.subject : '';
    const resumed = await accounts.signIn.resume({ progress, binding: 'c1' });
    expect(resumed).toMatchObject({ state: 'done', subject, amr: ['pwd'], claims: { email } });
  });

  it('creates a user without a password if users sign in by email', async () => {
    const emailSignIn = { enabled: true };
    const { accounts, mailbox } = await openWithMail(await databases.createUrl(engine), { emailSignIn });
    const { password: _none, ...form } = asked;
    const requested = await accounts.signUp.request(form);
    const token = tokenIn(await mailAt(mailbox, 0), linkBase);
    // In another browser, the owner of the mailbox chooses a password: opening the link creates no user.
    expect(await accounts.signUp.confirm({ token })).toEqual({ ok: false, error: 'password_needed' });
    const proof = requested.ok ? requested.proof : '';
    const confirmed = await accounts.signUp.confirm({ token, proof, binding: 'c1' });
    const progress = (confirmed.ok && confirmed.progress) || '';
    const resumed = await accounts.signIn.resume({ progress, binding: 'c1' });
    expect(resumed).toMatchObject({ state: 'done', amr: ['otp'], claims: { email, email_verified: true } });
    expect(await accounts.signIn.password({ login: email, password, binding: 'c1' })).toEqual({ state: 'refused' });
    const sent = await accounts.signIn.requestEmailCode({ login: email, binding: 'c2' });
    const code = /^\d{6}$/m.exec((await mailAt(mailbox, 1)).text)?.[0] ?? '';
    const input = { progress: 'progress' in sent ? sent.progress : '', code, binding: 'c2' };
    expect(await accounts.signIn.emailCode(input)).toMatchObject({ state: 'done' });
  });

  it('needs a password unless users sign in by email', async () => {
    const { accounts } = await openWithMail(await databases.createUrl(engine));
    const { password: _none, ...form } = asked;
    expect(await accounts.signUp.request(form)).toMatchObject({ ok: false, error: 'weak_password' });
  });

  it('answers the same for an address that has an account, whose owner gets another email', async () => {
    const database = await databases.createUrl(engine);
    await createUser(database, { email });
    const { accounts, mailbox } = await openWithMail(database);
    expect(await accounts.signUp.request(asked)).toMatchObject({ ok: true });
    expect((await mailAt(mailbox, 0)).text).not.toContain('token=');
  });
});

describe('sign-up', () => {
  it('uses the password of the form only in the browser that sent it: elsewhere the owner of the mailbox chooses one', async () => {
    const { accounts, mailbox } = await openWithMail(await databases.createUrl('sqlite'));
    await accounts.signUp.request(asked);
    const token = tokenIn(await mailAt(mailbox, 0), linkBase);
    const confirm = accounts.signUp.confirm;
    const needed = { ok: false, error: 'password_needed' };
    expect(await confirm({ token })).toEqual(needed);
    expect(await confirm({ token, proof: 'of another form' })).toEqual(needed);
    expect(await confirm({ token, password: 'short' })).toMatchObject({ ok: false, error: 'weak_password' });
    expect(await confirm({ token, password: 'chosen by the owner' })).toMatchObject({ ok: true });
    const signIn = (entered: string) => accounts.signIn.password({ login: email, password: entered, binding: 'c' });
    expect(await signIn(password)).toEqual({ state: 'refused' });
    expect(await signIn('chosen by the owner')).toMatchObject({ state: 'done' });
  });

  it('stores the address that got the email, and refuses one that normalization changes by more than ASCII case', async () => {
    const { accounts, mailbox } = await openWithMail(await databases.createUrl('sqlite'));
    const request = accounts.signUp.request;
    for (const other of ['\u017fam@example.org', '\uff53am@example.org', 'sam @example.org'])
      expect(await request({ ...asked, email: other })).toEqual({ ok: false, error: 'invalid_email' });
    const requested = await request({ ...asked, email: 'Sam@Example.org' });
    const mail = await mailAt(mailbox, 0);
    expect(mail.recipients).toEqual(['sam@example.org']);
    await accounts.signUp.confirm({ token: tokenIn(mail, linkBase), proof: requested.ok ? requested.proof : '' });
    const state = await accounts.signIn.password({ login: 'sam@example.org', password, binding: 'c' });
    expect(state).toMatchObject({ state: 'done', claims: { email: 'sam@example.org', email_verified: true } });
  });

  it('refuses weak passwords, text that is no address, and links to other sites', async () => {
    const { accounts, mailbox } = await openWithMail(await databases.createUrl('sqlite'));
    const request = accounts.signUp.request;
    expect(await request({ ...asked, password: 'short' })).toMatchObject({ ok: false, error: 'weak_password' });
    for (const text of ['grace', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: c@d.example']) {
      expect(await request({ ...asked, email: text })).toEqual({ ok: false, error: 'invalid_email' });
    }
    for (const linkBase of [
      'https://evil.example/',
      'https://login.example.com@evil.example/',
      'javascript:alert(1)',
    ]) {
      await expect(request({ ...asked, linkBase })).rejects.toMatchObject({ code: 'foreign_link' });
    }
    for (const returnTo of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      await expect(request({ ...asked, returnTo })).rejects.toMatchObject({ code: 'foreign_link' });
    }
    expect(mailbox.received).toEqual([]);
  });

  it('sends five emails to one address in an hour, whether it has an account or not', async () => {
    const { accounts, clock } = await openUserWithMail(await databases.createUrl('sqlite'));
    for (const email of ['ada@example.com', 'grace@example.com']) {
      const answers: unknown[] = [];
      for (let n = 0; n < 6; n += 1) answers.push(await accounts.signUp.request({ ...asked, email }));
      expect(answers).toMatchObject([...Array(5).fill({ ok: true }), { ok: false, error: 'limited' }]);
    }
    clock.now += 3_600_000;
    expect(await accounts.signUp.request(asked)).toMatchObject({ ok: true });
  });

  it('does not accept a link after its time, of another kind, or that was changed', async () => {
    const { accounts, clock, mailbox } = await openWithMail(await databases.createUrl('sqlite'));
    await accounts.signUp.request(asked);
    const token = tokenIn(await mailAt(mailbox, 0), linkBase);
    const invalid = { ok: false, error: 'invalid_token' };
    expect(await accounts.recovery.confirm({ token, password })).toEqual(invalid);
    expect(await accounts.signUp.confirm({ token: `${token.slice(0, -4)}AAAA` })).toEqual(invalid);
    expect(await accounts.signUp.confirm({ token: 'nonsense' })).toEqual(invalid);
    clock.now += 24 * 3_600_000;
    expect(await accounts.signUp.confirm({ token })).toEqual(invalid);
  });

  it('sign-up is off without a mail server', async () => {
    const { accounts } = await openTestAccounts(testOptions({ database: await databases.createUrl('sqlite') }));
    expect(await accounts.settings()).toMatchObject({ signUp: false, passwordRecovery: false });
    expect(await accounts.signUp.request(asked)).toEqual({ ok: false, error: 'not_supported' });
  });
});
