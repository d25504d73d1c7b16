import { describe, expect, it } from 'vitest';
import type { OidcProviderOptions, ProviderOptions } from '../../src/index.ts';
import { binding, callback, openFederation, openUpstream, upstreamOptions } from './open-federation.ts';

const ada = { name: 'Ada', email: 'ada@example.com', email_verified: true };
const login = { user: 'ada' };

/** Accounts without directories and without a database. */
const open = async (provider: Partial<OidcProviderOptions> = {}, others: readonly ProviderOptions[] = []) => {
  const test = await openFederation({ database: undefined, options: { directories: [] }, provider, others });
  test.upstream.users.set('ada', ada);
  return test;
};

describe('providers without directories', () => {
  it('sign in each user whom the provider has authenticated, with a subject of the provider and of its user', async () => {
    const { signIn, events } = await open();
    const first = await signIn(login);
    expect(first).toMatchObject({
      state: 'done',
      subject: expect.stringMatching(/^corp\.[\w-]{43}$/),
      user: { name: 'Ada', detail: 'ada@example.com' },
      claims: ada,
      acr: 'urn:carnet:1fa',
      amr: ['fed'],
    });
    expect(await signIn(login)).toEqual(first);
    const { subject } = first as { subject: string };
    expect(await signIn({ user: 'grace' })).not.toMatchObject({ subject });
    const signedIn = { type: 'sign_in', method: 'provider', provider: 'corp', subject, result: 'done' };
    expect(events.filter(({ type }) => type === 'sign_in')[0]).toEqual(signedIn);
  });

  it('give the user of another provider another subject', async () => {
    const { signIn } = await open();
    const other = await open({ name: 'other' });
    const input = { provider: 'other', callback: 'https://login.example.com/login/provider/other' };
    const [one, two] = [await signIn(login), await other.signIn(login, input)];
    expect((one as { subject: string }).subject.slice(5)).not.toBe((two as { subject: string }).subject.slice(6));
  });

  it('accept the factors of a provider only if the configuration says so', async () => {
    const strong = { user: 'ada', acr: 'urn:carnet:2fa' };
    expect(await (await open()).signIn(strong)).toMatchObject({ acr: 'urn:carnet:1fa' });
    expect(await (await open({ factors: 'provider' })).signIn(strong)).toMatchObject({ acr: 'urn:carnet:2fa' });
  });

  it('call no address verified whose domain belongs to another provider', async () => {
    const upstream = await openUpstream('other');
    const other = { ...upstreamOptions(upstream), name: 'other', isAuthorityFor: ['example.com'] };
    const { signIn } = await open({}, [other]);
    expect(await signIn(login)).toMatchObject({ state: 'done', claims: { ...ada, email_verified: false } });
  });

  it('refuse a sign-in that is not as recent as the request asked for', async () => {
    const { signIn, clock, lines } = await open();
    await signIn(login);
    clock.now += 3_600_000;
    expect(await signIn(login, { prompt: 'login' })).toEqual({ state: 'provider_failed' });
    expect(lines.join('\n')).toContain('not_fresh');
  });

  it('have no identities, no users to create and no passwords', async () => {
    const { accounts } = await open();
    const begun = accounts.providers.begin({ provider: 'corp', binding, callback, subject: 'corp.a' });
    await expect(begun).rejects.toMatchObject({ code: 'not_supported' });
    expect(await accounts.providers.identities({ subject: 'corp.a' })).toEqual({ identities: [] });
    const attempt = { login: 'ada@example.com', password: 'correct horse battery', binding };
    expect(await accounts.signIn.password(attempt)).toEqual({ state: 'refused' });
  });
});
