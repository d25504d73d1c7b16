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

it('an accepted invitation notifies a user who signs in with a provider, and no other one', async () => {
  const { accounts, signIn, mailbox } = await open('off');
  const accept = async (index: number) => {
    const token = tokenIn(await mailAt(mailbox, index), 'https://login.example.com/invitation');
    expect(await accounts.invitation.accept({ token, password })).toMatchObject({ ok: true });
  };
  await accounts.users.create({ email: 'eve@example.com', invite: true });
  await accept(0);
  const { subject } = await accounts.users.create({ email: 'bob@example.com', claims: { locale: 'de' }, invite: true });
  await signIn({ user: 'ada' }, { subject });
  await accept(1);
  const mails = await firstMails(mailbox, 4);
  expect(mails.map(({ recipients }) => recipients[0])).toEqual([
    'eve@example.com',
    ...Array(3).fill('bob@example.com'),
  ]);
  expect(mails[3]?.text).toContain('Das Passwort Ihres Kontos bob@example.com');
});
