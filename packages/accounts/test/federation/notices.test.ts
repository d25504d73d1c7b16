import { expect, it } from 'vitest';
import { startMailbox } from '../mail/smtp-mailbox.ts';
import { firstMails, mailAt, tokenIn } from '../mailbox.ts';
import { createUser, password, useDatabases } from '../open-test-accounts.ts';
import { binding, finishOf, openFederation } from './open-federation.ts';

const databases = useDatabases();

const open = async (signUp: 'automatic' | 'off') => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database, { emailVerified: true });
  const mailbox = await startMailbox();
  const mail = { url: `smtp://127.0.0.1:${mailbox.port}`, from: 'Carnet <id@example.com>' };
  const test = await openFederation({ database, provider: { signUp }, options: { mail } });
  test.upstream.users.set('ada', { name: 'Ada', email: 'ada@example.com', email_verified: true });
  return { ...test, subject, mailbox };
};

it('the owner of an account gets an email when an identity is linked on the account page, or removed', async () => {
  const { accounts, answer, subject, mailbox } = await open('off');
  const answered = finishOf(await answer({ user: 'ada' }, { subject }));
  await accounts.providers.finish({ ...answered, language: 'de' });
  const linked = await mailAt(mailbox, 0);
  expect(linked.recipients).toEqual(['ada@example.com']);
  expect(linked.text).toContain('bei Example wurde diese Anmeldemethode hinzugefügt: Corp.');
  const { identities } = await accounts.providers.identities({ subject });
  await accounts.providers.unlink({ subject, id: identities[0]?.id ?? '', language: 'en' });
  expect((await mailAt(mailbox, 1)).text).toContain('was removed from your account ada@example.com at Example: Corp.');
});

it('the owner of an account gets an email when an identity is linked in a sign-in, in the language of its page', async () => {
  const { accounts, answer, mailbox } = await open('off');
  const asked = await accounts.providers.finish({ ...finishOf(await answer({ user: 'ada' })), language: 'fr' });
  const { link } = asked as { link: string };
  await accounts.signIn.password({ login: 'ada@example.com', password, binding, link });
  expect((await mailAt(mailbox, 0)).text).toContain('Ce moyen de connexion a été ajouté');
});

it('a new user gets no email about the identity with which the account was created', async () => {
  const { accounts, signIn, upstream, mailbox } = await open('automatic');
  upstream.users.set('bob', { name: 'Bob', email: 'bob@example.com', email_verified: true });
  const done = await signIn({ user: 'bob' });
  if (done.state !== 'done') throw new Error(done.state);
  await accounts.factors.recoveryCodes({ owner: { subject: done.subject } });
  const [mail] = await firstMails(mailbox, 1);
  expect(mail?.text).toContain('new recovery codes');
});

it('the owner of an account that signs in with a provider gets an email when an invitation sets a password', async () => {
  const { accounts, signIn, mailbox, upstream } = await open('off');
  const { users, invitation } = accounts;
  const { subject } = await users.create({ email: 'bob@example.com', invite: true });
  const token = tokenIn(await mailAt(mailbox, 0), 'https://login.example.com/invitation');
  upstream.users.set('bob', { name: 'Bob' });
  expect(await signIn({ user: 'bob' }, { subject })).toMatchObject({ state: 'done', subject });
  expect((await mailAt(mailbox, 1)).text).toContain('Corp');
  expect(await invitation.accept({ token, password })).toMatchObject({ ok: true });
  const { recipients, text } = await mailAt(mailbox, 2);
  expect([recipients, text]).toEqual([['bob@example.com'], expect.stringContaining('password')]);
});
