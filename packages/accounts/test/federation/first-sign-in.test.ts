import { describe, expect, it } from 'vitest';
import { createUser, engines, password, setUserState, useDatabases } from '../open-test-accounts.ts';
import { binding, callback, openFederation, openUpstream, upstreamOptions } from './open-federation.ts';

const databases = useDatabases();

const ada = { name: 'Ada', email: 'ada@example.com', email_verified: true };
const automatic = { provider: { signUp: 'automatic' } } as const;

describe.each(engines)('the first sign-in of an identity with users in %s', (engine) => {
  const open = async (members: Omit<Parameters<typeof openFederation>[0], 'database'> = {}) => {
    const test = await openFederation({ database: await databases.createUrl(engine), ...members });
    test.upstream.users.set('ada', ada);
    return test;
  };

  it('creates the user in one commit; nothing is written before, and nothing at the next sign-in', async () => {
    const { accounts, answer, signIn, writes, events } = await open(automatic);
    const answered = await answer({ user: 'ada' });
    expect(writes).toEqual([]);
    const done = await accounts.providers.finish(answered);
    expect(done).toMatchObject({ state: 'done', acr: 'urn:carnet:1fa', amr: ['fed'], claims: ada });
    expect(writes).toEqual(['users.create']);
    const again = await signIn({ user: 'ada' });
    expect(again).toMatchObject({ state: 'done', subject: done.state === 'done' && done.subject });
    expect(writes).toEqual(['users.create']);
    expect(events.filter(({ type }) => type === 'signed_up' || type === 'identity')).toMatchObject([
      { type: 'signed_up' },
      { type: 'identity', action: 'linked', provider: 'corp' },
    ]);
  });

  it('creates the user after a confirmation; the progress belongs to one sign-in and lives ten minutes', async () => {
    const { accounts, signIn, writes, clock } = await open();
    const shown = await signIn({ user: 'ada' });
    expect(shown).toMatchObject({ state: 'sign_up', user: { name: 'Ada', detail: 'ada@example.com' } });
    expect(writes).toEqual([]);
    const { progress } = shown as { progress: string };
    expect(await accounts.providers.signUp({ progress, binding: 'another' })).toEqual({ state: 'expired' });
    const done = await accounts.providers.signUp({ progress, binding });
    expect(done).toMatchObject({ state: 'done', claims: ada });
    // A form that is sent twice signs in the same user.
    expect(await accounts.providers.signUp({ progress, binding })).toMatchObject({
      state: 'done',
      subject: done.state === 'done' && done.subject,
    });
    clock.now += 600_000;
    expect(await accounts.providers.signUp({ progress, binding })).toEqual({ state: 'expired' });
  });

  it('creates no user at once if the page requires a confirmation', async () => {
    const { accounts, answer, writes } = await open(automatic);
    const answered = await answer({ user: 'ada' });
    expect(await accounts.providers.finish({ ...answered, mustConfirm: true })).toMatchObject({ state: 'sign_up' });
    expect(writes).toEqual([]);
  });

  it('the sign-in is refused where sign-up is off', async () => {
    const { signIn, writes } = await open({ provider: { signUp: 'off' } });
    expect(await signIn({ user: 'ada' })).toEqual({ state: 'unknown_user' });
    expect(writes).toEqual([]);
  });

  it('of two parallel answers, one creates the user, and both sign it in', async () => {
    const { accounts, answer } = await open(automatic);
    const answers = [await answer({ user: 'ada' }), await answer({ user: 'ada' })];
    const [one, other] = await Promise.all(answers.map((each) => accounts.providers.finish(each)));
    expect(one).toMatchObject({ state: 'done' });
    expect(other).toMatchObject({ state: 'done', subject: one?.state === 'done' && one.subject });
  });

  it('an address that another provider gives out is no login name of the new user, whatever the provider says', async () => {
    const work = await openUpstream('work');
    const authority = upstreamOptions(work, { name: 'work', signUp: 'automatic', isAuthorityFor: ['example.com'] });
    const { accounts, signIn } = await open({ ...automatic, others: [authority] });
    work.users.set('ada', ada);
    const foreign = await signIn({ user: 'ada' });
    expect(foreign).toMatchObject({ state: 'done', claims: { name: 'Ada' } });
    expect(foreign).not.toHaveProperty('claims.email');
    // The owner of the address is not signed in as the user that was created before.
    const page = { provider: 'work', binding, callback: callback.replace('/corp', '/work') };
    const { url, cookie } = await accounts.providers.begin(page);
    const answer = await work.authorize(url, { user: 'ada' });
    const own = await accounts.providers.finish({ ...page, answer, cookie });
    expect(own).toMatchObject({ state: 'done', claims: ada });
    expect(own).not.toHaveProperty('subject', foreign.state === 'done' && foreign.subject);
  });

  it('a name with control characters, which Postgres does not store, hinders no sign-in', async () => {
    const { accounts, signIn, upstream } = await open(automatic);
    upstream.users.set('ada', { preferred_username: 'a\0da' });
    const done = await signIn({ user: 'ada' });
    expect(done).toMatchObject({ state: 'done' });
    const { identities } = await accounts.providers.identities({ subject: done.state === 'done' ? done.subject : '' });
    expect(identities).toMatchObject([{ shown: 'a da' }]);
  });

  it('an address that is not verified is no login name of the new user', async () => {
    const { signIn, upstream, accounts } = await open(automatic);
    upstream.users.set('ada', { ...ada, email_verified: false });
    const done = await signIn({ user: 'ada' });
    expect(done).toMatchObject({ state: 'done', claims: { name: 'Ada' } });
    expect(done).not.toHaveProperty('claims.email');
    expect(await accounts.signIn.password({ login: ada.email, password, binding })).toEqual({ state: 'refused' });
  });
});

describe.each(engines)('an identity with the address of a user in %s', (engine) => {
  const open = async (provider: object = {}, user: object = { emailVerified: true }) => {
    const database = await databases.createUrl(engine);
    const subject = await createUser(database, user);
    const test = await openFederation({ database, provider: { signUp: 'automatic', ...provider } });
    test.upstream.users.set('ada', ada);
    return { ...test, subject, database };
  };
  const isAuthorityFor = ['example.com'];

  it('the identity is linked after the user has signed in with the password, once', async () => {
    const { accounts, signIn, subject, writes } = await open();
    const asked = await signIn({ user: 'ada' });
    expect(asked).toMatchObject({ state: 'link', login: ada.email, provider: { name: 'corp', label: 'Corp' } });
    expect(writes).toEqual([]);
    const { link } = asked as { link: string };
    const done = await accounts.signIn.password({ login: ada.email, password, binding, link });
    expect(done).toMatchObject({ state: 'done', subject });
    expect(writes.filter((write) => write.startsWith('identities'))).toEqual(['identities.link']);
    expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'done', subject, amr: ['fed'] });
    expect(await accounts.providers.identities({ subject })).toMatchObject({
      identities: [{ provider: 'corp', label: 'Corp', shown: ada.email }],
    });
  });

  it('the identity is linked at once if the provider is the authority for its domain', async () => {
    const { signIn, subject, writes } = await open({ isAuthorityFor });
    expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'done', subject });
    expect(writes).toEqual(['identities.link']);
  });

  it.each([
    [
      'the provider is the authority for another domain',
      { isAuthorityFor: ['example.org'] },
      {},
      { emailVerified: true },
    ],
    ['the user has never proved the address', { isAuthorityFor }, {}, { emailVerified: false }],
    // It may be the mailbox of another user of the domain.
    [
      'only width makes the addresses equal',
      { isAuthorityFor },
      { email: '\uff41da@example.com' },
      { emailVerified: true },
    ],
  ])('the identity is not linked at once if %s', async (_title, provider, claims, user) => {
    const { signIn, upstream, writes } = await open(provider, user);
    upstream.users.set('ada', { ...ada, ...claims });
    expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'link' });
    expect(writes).toEqual([]);
  });

  it('an address that the provider does not call verified finds no user: the answer reveals none', async () => {
    const { signIn, upstream, subject } = await open({ isAuthorityFor, signUp: 'automatic' });
    upstream.users.set('ada', { ...ada, email_verified: false });
    const done = await signIn({ user: 'ada' });
    expect(done).toMatchObject({ state: 'done' });
    expect(done).not.toHaveProperty('subject', subject);
  });
});

describe('a known identity', () => {
  it('does not sign in a user who is disabled', async () => {
    const database = await databases.createUrl('sqlite');
    const { signIn, upstream, events } = await openFederation({ database, ...automatic });
    upstream.users.set('ada', ada);
    const done = await signIn({ user: 'ada' });
    await setUserState(database, done.state === 'done' ? done.subject : '', 'disabled');
    expect(await signIn({ user: 'ada' })).toEqual({ state: 'refused' });
    expect(events.at(-1)).toMatchObject({ type: 'sign_in', method: 'provider', result: 'refused', reason: 'disabled' });
  });

  it('refreshes the claims of the mapping at each sign-in, and no others', async () => {
    const database = await databases.createUrl('sqlite');
    const provider = {
      signUp: 'automatic',
      scopes: ['openid', 'profile', 'groups'],
      claims: { groups: 'groups' },
    } as const;
    const { signIn, upstream, writes } = await openFederation({ database, provider });
    upstream.users.set('ada', { name: 'Ada', groups: ['staff'] });
    expect(await signIn({ user: 'ada' })).toMatchObject({ claims: { name: 'Ada', groups: ['staff'] } });
    upstream.users.set('ada', { name: 'Ada Lovelace', groups: ['staff', 'admins'] });
    expect(await signIn({ user: 'ada' })).toMatchObject({ claims: { name: 'Ada', groups: ['staff', 'admins'] } });
    upstream.users.set('ada', { name: 'Ada' });
    const left = await signIn({ user: 'ada' });
    expect(left).not.toHaveProperty('claims.groups');
    expect(writes).toEqual(['users.create', 'users.updateClaims', 'users.updateClaims']);
  });
});
