import { expect, it } from 'vitest';
import { openWithMail } from '../../accounts/test/mailbox.ts';
import { useDatabases } from '../../accounts/test/open-test-accounts.ts';
import { defaultUi } from '../src/page/ui.ts';
import { showSignUp, submitSignUp } from '../src/sign-up/sign-up.tsx';
import { createBrowser } from './browser.ts';
import { createTestServices, origin } from './services.ts';

const databases = useDatabases();
const signUpRoutes = { '/sign-up': [showSignUp, submitSignUp] } as const;
const user = { email: 'grace@example.com', password: 'a long enough password' };

it('a sign-up needs the accepted terms if the operator asks for them', async () => {
  const { accounts, mailbox } = await openWithMail(await databases.createUrl('sqlite'));
  const links = { terms: 'https://example.com/terms', privacy: 'https://example.com/privacy' };
  const ui = { ...defaultUi, secureCookies: true, links, mustAcceptTerms: true };
  const { services } = createTestServices(accounts, { ui });
  const browser = createBrowser(services, signUpRoutes, origin);
  const form = await browser.get(`${origin}/sign-up`);
  expect(form.html).toContain('href="https://example.com/terms"');
  const refused = await browser.submit(form, user, 'id="email"');
  expect([refused.status, mailbox.received.length]).toEqual([400, 0]);
  expect(refused.html).toContain('Accept the terms of service to create an account.');
  const sent = await browser.submit(refused, { ...user, terms: '1' }, 'id="email"');
  expect(sent.html).toContain('Check your email');
});
