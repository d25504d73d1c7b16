import { createHash } from 'node:crypto';
import { listen } from '@carnet/test-servers/listen';
import { expect, it, onTestFinished } from 'vitest';
import type { AccountsDependencies } from '../src/index.ts';
import { mailAt, openUserWithMail, tokenIn } from './mailbox.ts';
import { password, useDatabases } from './open-test-accounts.ts';

const databases = useDatabases();
const linkBase = 'https://login.example.com/link';
const leaked = 'a leaked long password';
const other = 'another long password';

/** A stand-in for the range API of Have I Been Pwned, which knows one password. */
const startService = async () => {
  const hash = createHash('sha1').update(leaked).digest('hex').toUpperCase();
  const { origin, close } = await listen(({ url }, response) =>
    response.end(url === `/${hash.slice(0, 5)}` ? `${hash.slice(5)}:7\r\n` : `${'0'.repeat(35)}:0\r\n`),
  );
  onTestFinished(close);
  return { url: `${origin}/`, close };
};

const open = async (check: string | undefined, passwordCheck?: AccountsDependencies['passwordCheck']) => {
  const passwords = { minimumLength: 8, check };
  const test = await openUserWithMail(await databases.createUrl('sqlite'), { passwords }, { passwordCheck });
  const signUp = (text: string, email = 'eve@example.com') =>
    test.accounts.signUp.request({ email, password: text, linkBase });
  return { ...test, signUp };
};

const weak = { ok: false, error: 'weak_password', message: expect.stringContaining('data leak') };

it('a leaked password is refused at sign-up, its confirmation, a change and a recovery', async () => {
  const { accounts, subject, mailbox, signUp, lines } = await open((await startService()).url);
  expect(await signUp(leaked)).toMatchObject(weak);
  expect(await signUp(other)).toMatchObject({ ok: true });
  const token = tokenIn(await mailAt(mailbox, 0), linkBase);
  expect(await accounts.signUp.confirm({ token, password: leaked })).toMatchObject(weak);
  const change = { subject, current: password };
  expect(await accounts.account.changePassword({ ...change, next: leaked })).toMatchObject(weak);
  await accounts.recovery.request({ login: 'ada@example.com', linkBase });
  const recovery = tokenIn(await mailAt(mailbox, 1), linkBase);
  expect(await accounts.recovery.confirm({ token: recovery, password: leaked })).toMatchObject(weak);
  expect(await accounts.recovery.confirm({ token: recovery, password: other })).toMatchObject({ ok: true });
  expect(lines).toEqual([]);
});

it('a service that does not answer stops no sign-up, and is one line in the log', async () => {
  const service = await startService();
  service.close();
  const { signUp, lines } = await open(service.url);
  for (const email of ['eve@example.com', 'bob@example.com', 'joe@example.com'])
    expect(await signUp(leaked, email)).toMatchObject({ ok: true });
  expect(lines).toEqual([
    expect.stringMatching(/^accounts.passwords.check has failed: new passwords are accepted by the other rules\./),
  ]);
  expect(await signUp('password')).toMatchObject({ error: 'weak_password' });
});

/** Accounts with a function that refuses every new password, and records what it was asked. */
const openRefusing = async () => {
  const asked: string[] = [];
  const { accounts } = await open(undefined, (text) => {
    asked.push(text);
    return 'No.';
  });
  const signUp = ({ email = 'eve@example.com', address }: { readonly email?: string; readonly address?: string }) =>
    accounts.signUp.request({ email, password: other, linkBase, address });
  return { asked, signUp };
};

it('one address causes fifty requests to the service in an hour', async () => {
  const { asked, signUp } = await openRefusing();
  const from = (address: string, index: number) => signUp({ email: `eve${index}@example.com`, address });
  for (let index = 0; index < 50; index += 1)
    expect(await from('192.0.2.1', index)).toMatchObject({ error: 'weak_password' });
  expect(await from('192.0.2.1', 50)).toEqual({ ok: false, error: 'limited' });
  expect(asked).toHaveLength(50);
  expect(await from('192.0.2.2', 51)).toMatchObject({ error: 'weak_password' });
});

it('one email address causes twenty requests to the service in an hour, whatever the address of the browser', async () => {
  const { asked, signUp } = await openRefusing();
  for (let index = 0; index < 20; index += 1)
    expect(await signUp({ address: `192.0.2.${index}` })).toMatchObject({ error: 'weak_password' });
  expect(await signUp({ address: '192.0.2.20' })).toEqual({ ok: false, error: 'limited' });
  expect(await signUp({ email: 'EVE@example.com' })).toEqual({ ok: false, error: 'limited' });
  expect(asked).toHaveLength(20);
});

it('pages that send no address cause a thousand requests to the service in an hour together', async () => {
  const { asked, signUp } = await openRefusing();
  const count = 1_005;
  const results = await Promise.all(
    Array.from({ length: count }, (_, index) => signUp({ email: `${index}@example.com` })),
  );
  expect(results.filter((result) => !result.ok && result.error === 'limited')).toHaveLength(count - 1_000);
  expect(asked).toHaveLength(1_000);
  expect(await signUp({ email: 'eve@example.com', address: '192.0.2.1' })).toMatchObject({ error: 'weak_password' });
});

it('a function is asked, too, after the other rules', async () => {
  const asked: string[] = [];
  const { signUp } = await open(undefined, (text) => {
    asked.push(text);
    return text.includes('llama') ? 'No llamas.' : undefined;
  });
  expect(await signUp('password')).toMatchObject({ error: 'weak_password' });
  expect(await signUp('a llama in the house')).toMatchObject({ error: 'weak_password', message: 'No llamas.' });
  expect(await signUp(other)).toMatchObject({ ok: true });
  expect(asked).toEqual(['a llama in the house', other]);
});
