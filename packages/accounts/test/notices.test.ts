import { describe, expect, it } from 'vitest';
import { firstMails, mailAt, openUserWithMail, openWithMail } from './mailbox.ts';
import {
  createUser,
  engines,
  enrolTotp,
  fileDirectory,
  password,
  type TestAccounts,
  useDatabases,
} from './open-test-accounts.ts';

import { createAuthenticator } from './second-factors/software-authenticator.ts';

const databases = useDatabases();
const to = 'ada@example.com';
const owner = (subject: string) => ({ subject });

const addPasskey = async ({ accounts }: TestAccounts, subject: string): Promise<string> => {
  const passkey = createAuthenticator({ origin: 'https://login.example.com', rpId: 'example.com' });
  const { options, challenge } = await accounts.factors.passkeyOptions({ owner: owner(subject) });
  const response = passkey.register(options);
  const label = 'https://evil.example';
  const added = await accounts.factors.passkey({ owner: owner(subject), challenge, response, label });
  if (!added.ok) throw new Error(added.error);
  return added.factor.id;
};

describe.each(engines)('the owner of an account in %s', (engine) => {
  it('gets an email when a second factor or passkey is added or removed', async () => {
    const test = await openUserWithMail(await databases.createUrl(engine));
    const { accounts, mailbox, subject } = test;
    await enrolTotp(test, subject);
    const passkey = await addPasskey(test, subject);
    await accounts.factors.recoveryCodes({ owner: owner(subject) });
    await accounts.factors.pin({ subject, pin: '4711' });
    await accounts.factors.remove({ owner: owner(subject), id: passkey });
    await accounts.factors.remove({ owner: owner(subject), id: 'unknown' });
    await accounts.factors.reset({ subject });
    const mails = await firstMails(mailbox, 6);
    expect(mails.map(({ recipients }) => recipients)).toEqual(Array(6).fill([to]));
    const texts = mails.map(({ text }) => text);
    const added = 'was added to your account ada@example.com at Example';
    for (const factor of ['authenticator app', 'passkey', 'new recovery codes', 'PIN'])
      expect(texts.filter((each) => each.includes(`${added}: ${factor}.`))).toHaveLength(1);
    expect(texts.filter((each) => each.includes('was removed from your account'))).toHaveLength(1);
    expect(texts.filter((each) => each.includes('were removed by an administrator'))).toHaveLength(1);
    expect(texts.join()).not.toContain('evil');
  });
});

describe('the owner of an account', () => {
  it('gets an email when the password is changed, in their own language before that of the page', async () => {
    const { accounts, mailbox, subject } = await openUserWithMail(await databases.createUrl('sqlite'));
    const change = (current: string, next: string, language?: string) =>
      accounts.account.changePassword({ subject, current, next, language });
    await change('wrong', 'a third long password');
    expect(await change(password, 'another long password', 'de')).toEqual({ ok: true });
    expect((await mailAt(mailbox, 0)).text).toContain('Das Passwort Ihres Kontos ada@example.com bei Example');
    await accounts.account.update({ subject, claims: { locale: 'fr-CA' } });
    expect(await change('another long password', 'a third long password', 'ja')).toEqual({ ok: true });
    expect((await mailAt(mailbox, 1)).text).toContain('Le mot de passe de votre compte ada@example.com');
    expect(mailbox.received).toHaveLength(2);
  });

  it('gets no email about a reset that removes no factor', async () => {
    const test = await openUserWithMail(await databases.createUrl('sqlite'));
    const { accounts, mailbox, subject } = test;
    expect(await accounts.factors.reset({ subject })).toEqual({ removed: 0 });
    await enrolTotp(test, subject);
    expect((await mailAt(mailbox, 0)).text).toContain('was added to your account');
  });

  it('gets five emails an hour about the same kind of event', async () => {
    const test = await openUserWithMail(await databases.createUrl('sqlite'));
    const eve = await createUser(test.database, { email: 'eve@example.com' });
    const createCodes = (subject: string) => test.accounts.factors.recoveryCodes({ owner: owner(subject) });
    for (let index = 0; index < 8; index += 1) await createCodes(test.subject);
    await addPasskey(test, test.subject);
    await createCodes(eve);
    const mails = await firstMails(test.mailbox, 7);
    expect(mails.filter((mail) => mail.text.includes('new recovery codes') && mail.recipients[0] === to)).toHaveLength(
      5,
    );
    expect(mails.filter((mail) => mail.text.includes('passkey'))).toHaveLength(1);
    expect(mails.filter((mail) => mail.recipients[0] === 'eve@example.com')).toHaveLength(1);
    expect(test.mailbox.received).toHaveLength(7);
  });

  it('gets an email as a user of another directory, too', async () => {
    const user = { logins: ['eve'], claims: { email: 'eve@example.com' } };
    const directories = [await fileDirectory('staff', 'staff.', user)];
    const { accounts, mailbox } = await openWithMail(await databases.createUrl('sqlite'), { directories });
    await accounts.factors.recoveryCodes({ owner: owner('staff.u1') });
    expect((await mailAt(mailbox, 0)).recipients).toEqual(['eve@example.com']);
  });
});
