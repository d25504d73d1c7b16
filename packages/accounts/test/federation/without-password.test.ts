import { expect, it } from 'vitest';
import { startMailbox } from '../mail/smtp-mailbox.ts';
import { mailAt, tokenIn } from '../mailbox.ts';
import { password, useDatabases } from '../open-test-accounts.ts';
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
