import type { ConfigInput } from '@carnet/provider';
import { describe, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { askLogin, authorizationUrl, begin, decideAll, introspect, redeem } from '../login.ts';
import { startScim } from './start-scim.ts';
import { callback, startUpstream } from './start-upstream.ts';

type Providers = NonNullable<NonNullable<ConfigInput['accounts']>['providers']>;
type Provider = Extract<Providers[number], { kind: 'oidc' }>;

const address = 'bob@example.com';
const emails = [{ value: address, type: 'work', primary: true }];

interface Opening {
  readonly emailsVerified?: boolean;
  readonly provider?: Partial<Provider>;
  /** Whether the provider calls the address verified. */
  readonly isVerified?: boolean;
}

/** A Carnet with SCIM whose users sign in at a provider, and bob, whom SCIM has created without a password. */
const startBoth = async ({ emailsVerified = true, provider = {}, isVerified = true }: Opening = {}) => {
  const { upstream, client, signIn } = await startUpstream({}, { email: address, email_verified: isVerified });
  const corp: Provider = {
    name: 'corp',
    kind: 'oidc',
    issuer: upstream.issuer,
    clientId: 'carnet',
    clientSecret: client.secret,
    isAuthorityFor: ['example.com'],
    signUp: 'off',
    ...provider,
  };
  const instance = await startScim({ emailsVerified }, { providers: [corp] });
  const { id: subject } = await instance.create(address, { emails, displayName: 'Bob' });
  /** A sign-in of bob at the provider, for a login challenge. */
  const finish = async (binding: string) => {
    const circumstances = { provider: 'corp', binding, callback };
    const { url, cookie } = (await instance.call('providers/begin', circumstances)).body;
    const answer = await signIn(url, 'bob');
    return (await instance.call('providers/finish', { ...circumstances, answer, cookie })).body;
  };
  return { ...instance, subject, finish };
};

describe('a user whom SCIM has created without a password', () => {
  test('signs in at the provider at once, until SCIM deactivates the user', async () => {
    const instance = await startBoth();
    const { subject, finish, send } = instance;
    const app = await registerClient(instance, 'app');
    const browser = createBrowser();
    const challenge = await begin(browser, authorizationUrl(instance, app));
    const done = await finish(challenge);
    expect(done).toMatchObject({ state: 'done', subject });
    const login = { acr: done.acr, amr: done.amr, auth_time: done.auth_time, remember: true };
    const end = await browser.get(await decideAll(instance, browser, challenge, { subject, login }));
    const { body: tokens } = await redeem(instance, app, locationOf(end));
    expect((await introspect(instance, tokens.access_token)).active).toBe(true);
    expect((await askLogin(instance, app, { browser })).skip).toBe(true);

    const deactivation = { Operations: [{ op: 'replace', path: 'active', value: false }] };
    expect((await send('PATCH', `/Users/${subject}`, deactivation)).status).toBe(200);
    expect((await introspect(instance, tokens.access_token)).active).toBe(false);
    expect((await askLogin(instance, app, { browser })).skip).toBe(false);
    expect(await finish('another-challenge')).toEqual({ state: 'refused' });
  });

  test.each<[string, Opening, string]>([
    ['SCIM does not mark addresses as verified', { emailsVerified: false }, 'link'],
    ['the provider is not the authority for the domain', { provider: { isAuthorityFor: [] } }, 'link'],
    ['the provider does not call the address verified', { isVerified: false }, 'unknown_user'],
    [
      'the provider does not call the address verified, and signUp is not off: it would be a second user',
      { isVerified: false, provider: { signUp: 'confirm' } },
      'sign_up',
    ],
  ])('does not sign in at the provider if %s', async (_title, opening, state) => {
    const { finish } = await startBoth(opening);
    expect(await finish('challenge')).toMatchObject({ state });
  });
});
