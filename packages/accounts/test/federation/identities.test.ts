import { findFreePort } from '@carnet/test-servers';
import { describe, expect, it } from 'vitest';
import {
  createUser,
  directoryOf,
  engines,
  fileDirectory,
  openTestAccounts,
  openWithUser,
  password,
  testOptions,
  useDatabases,
} from '../open-test-accounts.ts';
import { binding, callback, finishOf, openFederation, upstreamOptions } from './open-federation.ts';

const databases = useDatabases();

describe.each(engines)('the identities of a user in %s', (engine) => {
  const open = async (provider: object = { signUp: 'automatic' }) => {
    const test = await openFederation({ database: await databases.createUrl(engine), provider });
    test.upstream.users.set('ada', { name: 'Ada' });
    return test;
  };

  it('the last way to sign in is never removed', async () => {
    const { accounts, signIn } = await open();
    const done = await signIn({ user: 'ada' });
    const subject = done.state === 'done' ? done.subject : '';
    const { identities } = await accounts.providers.identities({ subject });
    const id = identities[0]?.id ?? '';
    expect(await accounts.providers.unlink({ subject, id })).toEqual({ ok: false, error: 'last_way' });
    expect(await accounts.providers.unlink({ subject, id: 'unknown' })).toEqual({ ok: false, error: 'not_found' });
    expect(await accounts.providers.unlink({ subject: 'people.other', id })).toEqual({ ok: false, error: 'not_found' });
    expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'done', subject });
  });

  it.each([true, false])(
    'a user with a verified address has another way if sign-in by email is on: %s',
    async (enabled) => {
      const { accounts, signIn, upstream } = await openFederation({
        database: await databases.createUrl(engine),
        provider: { signUp: 'automatic', domains: ['example.com'] },
        options: {
          emailSignIn: { enabled },
          mail: { url: `smtp://127.0.0.1:${await findFreePort()}`, from: 'Carnet <id@example.com>' },
        },
      });
      upstream.users.set('ada', { email: 'ada@example.com', email_verified: true });
      upstream.users.set('bob', { email: 'bob@example.org', email_verified: false });
      for (const [user, outcome] of [
        ['ada', enabled ? { ok: true } : { ok: false, error: 'last_way' }],
        ['bob', { ok: false, error: 'last_way' }],
      ] as const) {
        const done = await signIn({ user });
        const subject = done.state === 'done' ? done.subject : '';
        const { identities } = await accounts.providers.identities({ subject });
        expect(await accounts.providers.unlink({ subject, id: identities[0]?.id ?? '' })).toEqual(outcome);
      }
    },
  );

  it('of two calls for the last two identities, one succeeds', async () => {
    const { accounts, signIn, upstream } = await open();
    const done = await signIn({ user: 'ada' });
    const subject = done.state === 'done' ? done.subject : '';
    upstream.users.set('ada-2', { name: 'Ada' });
    expect(await signIn({ user: 'ada-2' }, { subject })).toMatchObject({ state: 'done', subject });
    const { identities } = await accounts.providers.identities({ subject });
    expect(identities).toHaveLength(2);
    const outcomes = await Promise.all(identities.map(({ id }) => accounts.providers.unlink({ subject, id })));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe('an identity that is added on the account page', () => {
  it('the identity is linked to the user whom the caller has authenticated, and signs in that user from then on', async () => {
    const database = await databases.createUrl('sqlite');
    const subject = await createUser(database);
    const { signIn, upstream, events } = await openFederation({ database, provider: { signUp: 'off' } });
    upstream.users.set('ada', { name: 'Ada at work' });
    expect(await signIn({ user: 'ada' })).toEqual({ state: 'unknown_user' });
    expect(await signIn({ user: 'ada' }, { subject })).toMatchObject({ state: 'done', subject });
    expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'done', subject });
    expect(events).toContainEqual({ type: 'identity', action: 'linked', subject, provider: 'corp' });
  });

  it('the identity is refused if it belongs to another user, who is not signed in', async () => {
    const database = await databases.createUrl('sqlite');
    const subject = await createUser(database);
    const { signIn, upstream } = await openFederation({ database, provider: { signUp: 'automatic' } });
    upstream.users.set('ada', { name: 'Ada' });
    expect(await signIn({ user: 'ada' })).toMatchObject({ state: 'done' });
    expect(await signIn({ user: 'ada' }, { subject })).toEqual({ state: 'refused' });
  });
});

describe.each(engines)('a user who was removed from another directory, in %s', (engine) => {
  it('the identities and second factors are removed with the user by an administrator, who ends the access too', async () => {
    const database = await databases.createUrl(engine);
    const local = directoryOf({ kind: 'sql', name: 'people' });
    const team = await fileDirectory('team', 'team.', { logins: ['tess'], claims: { name: 'Tess' } });
    const before = await openFederation({ database, options: { directories: [local, team] } });
    before.upstream.users.set('tess', { name: 'Tess' });
    const subject = 'team.u1';
    expect(await before.signIn({ user: 'tess' }, { subject })).toMatchObject({ state: 'done', subject });
    await before.accounts.factors.recoveryCodes({ owner: { subject } });
    await expect(before.accounts.users.delete({ subject })).rejects.toMatchObject({ code: 'not_supported' });
    const provider = { formerIssuer: before.upstream.issuer };
    const { accounts, events } = await openFederation({ database, provider, options: { directories: [local] } });
    expect((await accounts.providers.identities({ subject })).identities).toHaveLength(1);
    await accounts.users.delete({ subject });
    expect(events).toContainEqual({ type: 'deletion', action: 'revoke', subject });
    expect(events).toContainEqual({ type: 'user', action: 'delete', subject });
    expect(await accounts.providers.identities({ subject })).toEqual({ identities: [] });
    expect(await accounts.factors.list({ owner: { subject } })).toEqual({ factors: [] });
    await expect(accounts.users.delete({ subject })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe.each(engines)('a provider whose issuer has changed, in %s', (engine) => {
  const open = async (database: string, provider: object = {}) => {
    const test = await openFederation({ database, provider: { signUp: 'automatic', ...provider } });
    test.upstream.users.set('1', { name: 'Ada' });
    return test;
  };

  it('the start is refused: the same subject would be another user', async () => {
    const database = await databases.createUrl(engine);
    const { upstream, signIn } = await open(database);
    expect(await signIn({ user: '1' })).toMatchObject({ state: 'done' });
    const started = open(database);
    await expect(started).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining(`provider corp: its identities belong to ${upstream.issuer}.`),
    });
    await expect(open(database, { formerIssuer: 'https://another.example' })).rejects.toThrow('set formerIssuer');
    const other = upstreamOptions({ issuer: 'https://b.example' }, { name: 'partner' });
    const same = openTestAccounts(testOptions({ database, providers: [upstreamOptions(upstream), other] }));
    expect(await same).toHaveProperty('accounts');
  });

  it('the identities stay those of the users if the configuration names the former issuer', async () => {
    const database = await databases.createUrl(engine);
    const before = await open(database);
    const done = await before.signIn({ user: '1' });
    const after = await open(database, { formerIssuer: before.upstream.issuer });
    expect(await after.signIn({ user: '1' })).toMatchObject({ subject: done.state === 'done' && done.subject });
    // The process with the former configuration does not start again.
    const old = openTestAccounts(testOptions({ database, providers: [upstreamOptions(before.upstream)] }));
    await expect(old).rejects.toThrow(`its identities belong to ${after.upstream.issuer}`);
  });
});

describe('the providers of a login page', () => {
  const open = async () => {
    const { upstream, accounts } = await openFederation({
      database: await databases.createUrl('sqlite'),
      provider: { domains: ['example.com'] },
      others: [
        upstreamOptions({ issuer: 'https://b.example' }, { name: 'partner', label: undefined, clients: ['portal'] }),
      ],
    });
    return { upstream, accounts, list: accounts.providers.list };
  };

  it('are all, and one of them for a client, a hint or a domain, in this order', async () => {
    const { list } = await open();
    const providers = [
      { name: 'corp', label: 'Corp' },
      { name: 'partner', label: 'partner' },
    ];
    expect(await list({})).toEqual({ providers });
    expect(await list({ login: 'ada@Example.com' })).toEqual({ providers, only: 'corp' });
    expect(await list({ login: 'ada@example.org', hint: 'unknown' })).toEqual({ providers });
    expect(await list({ login: 'ada@example.com', hint: 'partner' })).toMatchObject({ only: 'partner' });
    expect(await list({ clientId: 'portal', hint: 'corp' })).toMatchObject({ only: 'partner' });
  });

  it('a page requests the login name first, if its domain can decide', async () => {
    const { accounts } = await open();
    expect((await accounts.settings()).identifierFirst).toBe(true);
    const { accounts: others } = await openFederation({ database: await databases.createUrl('sqlite') });
    expect((await others.settings()).identifierFirst).toBe(false);
  });

  it('a client that is fixed to a provider begins at no other one', async () => {
    const { accounts } = await open();
    const begun = accounts.providers.begin({ provider: 'corp', binding, callback, clientId: 'portal' });
    await expect(begun).rejects.toMatchObject({ code: 'not_supported' });
    const unknown = accounts.providers.begin({ provider: 'unknown', binding, callback });
    await expect(unknown).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('are none without a configuration', async () => {
    const { accounts } = await openWithUser(await databases.createUrl('sqlite'));
    expect(await accounts.providers.list({})).toEqual({ providers: [] });
    const begun = accounts.providers.begin({ provider: 'corp', binding, callback });
    await expect(begun).rejects.toMatchObject({ code: 'not_supported' });
    expect(finishOf({ provider: 'corp', binding, callback, answer: '', cookie: '' })).toBeDefined();
    expect(await accounts.signIn.password({ login: 'ada@example.com', password, binding, link: 'x' })).toMatchObject({
      state: 'done',
    });
  });
});
