import { createAccountsClient } from '@carnet/accounts/client';
import { expect, test } from 'vitest';
import { startMailbox } from '../../../accounts/test/mail/smtp-mailbox.ts';
import { mailAt } from '../../../accounts/test/mailbox.ts';
import { startWithAda } from './start-accounts.ts';

const binding = 'the login challenge of the tests';
const login = 'ada@example.com';

const start = async (enabled = true) => {
  const mailbox = await startMailbox();
  const mail = { url: `smtp://127.0.0.1:${mailbox.port}`, from: 'Carnet <id@example.com>' };
  const started = await startWithAda({ accounts: { emailSignIn: { enabled }, mail } });
  await started.carnet.users?.update({ subject: started.subject, emailVerified: true });
  return { ...started, mailbox, client: createAccountsClient({ url: new URL(started.admin) }) };
};

test('a login page over HTTP signs a user in by a code, and the audit log has each step without the code', async () => {
  const { call, client, admin, mailbox, subject, logLines } = await start();
  expect(await client.settings()).toMatchObject({ emailSignIn: true });
  const sent = await client.signIn.requestEmailCode({ login, binding, language: 'de' });
  const { text } = await mailAt(mailbox, 0);
  expect(text).toContain('Geben Sie diesen Code ein');
  const code = /^\d{6}$/m.exec(text)?.[0] ?? '';
  const progress = sent.state === 'email_code' ? sent.progress : '';
  const wrong = await call('sign-in/email-code', { progress, code: 'wrong', binding });
  expect(wrong).toMatchObject({ status: 200, body: { state: 'refused' } });
  const { body } = await call('sign-in/email-code', { progress, code, binding });
  expect(body).toMatchObject({ state: 'done', subject, acr: 'urn:carnet:1fa', amr: ['otp'] });
  const records = logLines.map((line) => JSON.parse(line).audit).filter((each) => each?.action === 'sign_in.email');
  expect(records).toMatchObject([
    { outcome: 'denied', reason: 'wrong_code', subject },
    { outcome: 'success', directory: 'users', subject },
  ]);
  // Not within a longer number, such as a time.
  expect(logLines.join('')).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
  expect(logLines.join('')).not.toContain(progress);
  const metrics = await (await fetch(`${admin}/admin/metrics/prometheus`)).text();
  expect(metrics).toMatch(/carnet_sign_in_steps_total\{[^}]*method="email",result="done"\} 1/);
});

test('a request for a code is answered with not_supported if sign-in by email is off', async () => {
  const { call, client } = await start(false);
  const answer = await call('sign-in/request-email-code', { login, binding });
  expect(answer.body).toMatchObject({ error: 'not_supported' });
  const requested = client.signIn.requestEmailCode({ login, binding });
  await expect(requested).rejects.toMatchObject({ code: 'not_supported' });
});
