import { expect, it } from 'vitest';
import { createUser, engines, useDatabases } from '../open-test-accounts.ts';
import { openFederation, openUpstream, upstreamOptions } from './open-federation.ts';

const databases = useDatabases();
const invalid = { ok: false, error: 'invalid_token' };

const open = async (engine: 'sqlite' | 'postgres', dependencies = {}) => {
  const database = await databases.createUrl(engine);
  const subject = await createUser(database);
  const partner = await openUpstream('partner');
  const others = [upstreamOptions(partner, { name: 'partner' })];
  const test = await openFederation({ database, dependencies, others });
  test.upstream.users.set('ada', { name: 'Ada' });
  expect(await test.signIn({ user: 'ada' }, { subject })).toMatchObject({ state: 'done', subject });
  const token = async (user: string, upstream = test.upstream) =>
    new URLSearchParams(await upstream.logout(user)).get('logout_token') ?? '';
  const notify = (logoutToken: string, provider = 'corp') =>
    test.accounts.providers.backchannelLogout({ provider, logoutToken });
  const revoked = () => test.events.filter((event) => event.type === 'deletion' && event.action === 'revoke');
  return { ...test, subject, partner, token, notify, revoked };
};

it.each(engines)('the access of the user ends when the provider notifies of the logout, in %s', async (engine) => {
  const { subject, token, notify, revoked, events } = await open(engine);
  expect(await notify(await token('ada'))).toEqual({ ok: true });
  expect(revoked()).toEqual([{ type: 'deletion', action: 'revoke', subject }]);
  expect(events.at(-1)).toEqual({ type: 'provider_logout', subject, provider: 'corp' });
});

it('a token is accepted once, also by parallel calls', async () => {
  const { token, notify, revoked, lines } = await open('sqlite');
  const sent = await token('ada');
  const answers = await Promise.all([notify(sent), notify(sent), notify(sent)]);
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await notify(sent)).toEqual(invalid);
  expect(revoked()).toHaveLength(1);
  expect(lines.at(-1)).toContain('used');
  expect(lines.join()).not.toContain(sent);
});

it('a token of another provider ends nothing, and one about a user without an identity neither', async () => {
  const { token, notify, revoked, partner } = await open('sqlite');
  expect(await notify(await token('ada', partner))).toEqual(invalid);
  expect(await notify(await token('ada'), 'partner')).toEqual(invalid);
  expect(await notify(await token('bob'))).toEqual({ ok: true });
  expect(await notify('no.token.at-all')).toEqual(invalid);
  expect(revoked()).toEqual([]);
});

it('the call fails if the sessions cannot be ended, or the keys of the provider cannot be read', async () => {
  const isDown = { sessions: false, keys: false };
  const upstream = await openUpstream('corp');
  const { notify, token, accounts } = await open('sqlite', {
    onEvent: async ({ type }: { type: string }) => {
      if (type === 'deletion' && isDown.sessions) throw new Error('no store');
    },
    sendToProvider: async (request: Parameters<typeof upstream.send>[0]) => {
      if (request.url.endsWith('/jwks') && isDown.keys) throw new Error('unreachable');
      return upstream.send(request);
    },
  });
  isDown.sessions = true;
  const failed = await token('ada');
  await expect(notify(failed)).rejects.toThrow('no store');
  isDown.sessions = false;
  expect(await notify(failed)).toEqual(invalid);
  // The provider repeats it with a new token.
  expect(await notify(await token('ada'))).toEqual({ ok: true });
  const { accounts: others } = await open('sqlite', {
    sendToProvider: async (request: Parameters<typeof upstream.send>[0]) => {
      if (request.url.endsWith('/jwks') && isDown.keys) throw new Error('unreachable');
      return upstream.send(request);
    },
  });
  isDown.keys = true;
  const logoutToken = await token('ada');
  const unread = others.providers.backchannelLogout({ provider: 'corp', logoutToken });
  await expect(unread).rejects.toMatchObject({ code: 'unavailable' });
  expect(accounts).not.toBe(others);
});
