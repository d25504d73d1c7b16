import { expect, it } from 'vitest';
import { startMailbox } from '../mail/smtp-mailbox.ts';
import { mailAt, tokenIn } from '../mailbox.ts';
import { createUser, password, useDatabases } from '../open-test-accounts.ts';
import { binding, openFederation } from './open-federation.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const linkBase = 'https://login.example.com/recovery/password';

it('a user whose provider proves no new sign-in sets a password by email, and signs in anew with it', async () => {
  const mailbox = await startMailbox();
  const mail = { url: `smtp://127.0.0.1:${mailbox.port}`, from: 'Carnet <id@example.com>' };
  const database = await databases.createUrl('sqlite');
  const test = await openFederation({ database, provider: { signUp: 'automatic' }, options: { mail } });
  const { accounts, signIn, upstream, clock } = test;
  upstream.users.set('ada', { name: 'Ada', email: login, email_verified: true });
  expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'done' });
  clock.now += 3_600_000;
  expect(await signIn({ user: 'ada' }, { prompt: 'login' })).toMatchObject({ state: 'provider_failed' });
  await accounts.recovery.request({ login, linkBase });
  const token = tokenIn(await mailAt(mailbox, 0), linkBase);
  expect(await accounts.recovery.confirm({ token, password })).toMatchObject({ ok: true });
  const authTime = Math.floor(clock.now / 1_000);
  expect(await accounts.signIn.password({ login, password, binding })).toMatchObject({ state: 'done', authTime });
});

it.each([{ domains: ['example.com'] }, { isAuthorityFor: ['example.com'] }])(
  'a user with an address of a provider (%j) gets no code by email, by any login name',
  async (domain) => {
    const mailbox = await startMailbox();
    const mail = { url: `smtp://127.0.0.1:${mailbox.port}`, from: 'Carnet <id@example.com>' };
    const database = await databases.createUrl('sqlite');
    await createUser(database, { email: 'bob@other.example', emailVerified: true });
    const { accounts, signIn, upstream } = await openFederation({
      database,
      provider: { signUp: 'automatic', ...domain },
      options: { emailSignIn: { enabled: true }, mail },
    });
    upstream.users.set('ada', { name: 'Ada', email: 'Ada@EXAMPLE.com', email_verified: true });
    const signedIn = await signIn({ user: 'ada' });
    if (signedIn.state !== 'done') throw new Error(`the sign-in was ${signedIn.state}`);
    await accounts.users.update({ subject: signedIn.subject, username: 'ada' });
    for (const each of [login, 'ada', 'bob@other.example'])
      expect(await accounts.signIn.requestEmailCode({ login: each, binding })).toMatchObject({ state: 'email_code' });
    expect((await mailAt(mailbox, 0)).recipients).toEqual(['bob@other.example']);
  },
);
