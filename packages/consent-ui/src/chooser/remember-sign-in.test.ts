import type { Accounts, FactorSignIn } from '@carnet/accounts';
import { describe, expect, it } from 'vitest';
import { createBrowser } from '../../test/browser.ts';
import { createTestServices, origin } from '../../test/services.ts';
import { createStandInProviders, signedIn } from '../../test/stand-in-providers.ts';

const start = `${origin}/login?login_challenge=c1`;
const user = { subject: 'u1', name: 'Ada', detail: 'ada@example.com' };
const done = { ...signedIn, user };

const open = () => {
  const providers = createStandInProviders();
  providers.results.set('good', done).set('code', { state: 'factor', progress: 'p1', user, kinds: ['totp'] });
  providers.results.set('new', { state: 'sign_up', progress: 'p1', user });
  const accounts = {
    settings: async () => ({ signUp: false, passkeys: false, passwordRecovery: true, identifierFirst: true }),
    providers,
    signIn: { factor: async ({ code }: FactorSignIn) => (code === '123456' ? done : { state: 'refused' }) },
  } as unknown as Accounts;
  const { services } = createTestServices(accounts);
  const browser = createBrowser(services);
  /** The page after this answer of Google. */
  const signIn = async (code: string, fields: Record<string, string> = { remember: '1' }) => {
    const page = await browser.get(`${start}&account=other`);
    const { location = '' } = await browser.submit(page, { provider: 'google', ...fields }, 'id="provider-google"');
    const state = new URL(location).searchParams.get('state') ?? '';
    return browser.get(`${origin}/login/provider/google?${new URLSearchParams({ code, state })}`);
  };
  return { providers, browser, signIn };
};

describe('an account that has signed in with a provider', () => {
  it('the account is offered with its provider, and continues there at once with its login name', async () => {
    const { browser, signIn, providers } = open();
    await signIn('good');
    const page = await browser.get(start);
    expect(page.html).toMatch(/Ada<\/bdi>.*ada@example\.com<\/bdi>.*Google<\/bdi>/s);
    const { location } = await browser.submit(page, { account: '0' });
    expect(location).toContain('https://google.example/authorize');
    expect(providers.begun.at(-1)).toMatchObject({
      provider: 'google',
      loginHint: 'ada@example.com',
      remember: true,
    });
  });

  it.each([
    ['a second factor', 'code', { code: '123456' }],
    ['the confirmation of a new account', 'new', {}],
  ])('the account is offered after %s, too', async (_title, code, fields) => {
    const { browser, signIn } = open();
    const page = await signIn(code);
    await browser.submit(page, fields);
    if (code === 'code') expect((await browser.get(start)).html).toContain('Google</bdi>');
    else expect(page.html).toContain('name="provider" value="google"');
  });

  it('the account is not offered if the user did not want to stay signed in', async () => {
    const { browser, signIn } = open();
    await signIn('good', {});
    expect((await browser.get(start)).html).not.toContain('Ada');
  });

  it('the page asks for a password if its provider does not exist any more', async () => {
    const { browser, signIn, providers } = open();
    await signIn('good');
    const page = await browser.get(start);
    Object.assign(providers, { list: async () => ({ providers: [] }) });
    expect((await browser.submit(page, { account: '0' })).html).toContain('type="password"');
  });
});
