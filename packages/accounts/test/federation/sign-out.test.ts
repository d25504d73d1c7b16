import { describe, expect, it } from 'vitest';
import { useDatabases } from '../open-test-accounts.ts';
import { callback, openFederation } from './open-federation.ts';

const databases = useDatabases();

const open = async (members: object = { logout: true }, dependencies = {}) => {
  const test = await openFederation({
    database: await databases.createUrl('sqlite'),
    provider: members,
    options: { linkOrigins: ['https://login.example.com'] },
    dependencies,
  });
  const signOut = (others: object = {}) =>
    test.accounts.providers.signOut({ provider: 'corp', callback, loginHint: 'ada@example.com', ...others });
  return { ...test, signOut };
};

describe('a sign-out at a provider', () => {
  it('the URL is a request that the provider accepts, with the client and the login name, and with no token', async () => {
    const { signOut, upstream } = await open();
    const { url = '' } = (await signOut()) ?? {};
    expect(url.startsWith(`${upstream.issuer}/session/end?`)).toBe(true);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'carnet',
      logout_hint: 'ada@example.com',
      post_logout_redirect_uri: `${callback}/signed-out`,
    });
    expect((await fetch(url)).status).toBe(200);
    const foreign = new URL(url);
    foreign.searchParams.set('post_logout_redirect_uri', 'https://login.example.com/other');
    expect((await fetch(foreign)).status).toBe(400);
  });

  it('the URL is absent if `logout` is off, and for a provider that is not configured', async () => {
    const off = await open({});
    expect(await off.signOut()).toBeUndefined();
    expect(off.upstream.requests).toEqual([]);
    expect(await (await open()).signOut({ provider: 'removed' })).toBeUndefined();
  });

  it('the URL is absent if the provider has no endpoint for it', async () => {
    const { signOut, upstream } = await open({ logout: true, preset: 'github', issuer: undefined });
    expect(await signOut()).toBeUndefined();
    expect(upstream.requests).toEqual([]);
  });

  it('the browser returns to a page of this provider only', async () => {
    const { signOut } = await open();
    for (const page of ['https://evil.example/login/provider/corp', callback.replace('corp', 'other')])
      await expect(signOut({ callback: page })).rejects.toMatchObject({ code: 'foreign_link' });
  });

  it('the call fails if the provider does not answer, and the message has no text of the provider', async () => {
    const sendToProvider = async () => {
      throw Object.assign(new Error('secret text'), { code: 'timeout' });
    };
    const { signOut } = await open({ logout: true }, { sendToProvider });
    await expect(signOut()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The provider corp does not answer \([\w-]+\)\.$/),
    });
  });
});
