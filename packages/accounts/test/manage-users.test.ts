import { describe, expect, it } from 'vitest';
import {
  directoryOf,
  type Engine,
  engines,
  enrolTotp,
  fileDirectory,
  openTestAccounts,
  openWithUser,
  password,
  progressOf,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';
import { totpCode } from './totp-code.ts';

const databases = useDatabases();
const login = 'ada@example.com';
const binding = 'a login challenge';

const open = async (engine: Engine = 'sqlite', options = {}, dependencies = {}) => {
  const test = await openWithUser(await databases.createUrl(engine), options, dependencies);
  const signIn = (typed = password) => test.accounts.signIn.password({ login, password: typed, binding });
  const revoked = () => test.events.filter((event) => event.type === 'deletion' && event.action === 'revoke').length;
  return { ...test, users: test.accounts.users, signIn, revoked };
};

const records = (events: readonly { readonly type: string }[]) => events.filter(({ type }) => type === 'user');

describe.each(engines)('the management of users in %s', (engine) => {
  it('creates, finds, changes and deletes a user, with a record of each change', async () => {
    const { users, events } = await open(engine);
    const created = await users.create({ username: 'bob', password, claims: { name: 'Bob Builder' } });
    expect(created).toMatchObject({ directory: 'people', state: 'active', logins: ['bob'], hasPassword: true });
    const { subject, version } = created;
    expect(await users.get({ subject })).toEqual(created);
    for (const query of [{ search: 'bob b' }, { login: 'BOB' }, { search: 'bob', state: 'active' }] as const)
      expect((await users.list(query)).users).toEqual([created]);
    expect((await users.list({ login: 'bob', state: 'locked' })).users).toEqual([]);

    const changed = await users.update({ subject, ifVersion: version, email: 'bob@example.com', claims: { x: 1 } });
    expect(changed).toMatchObject({ logins: ['bob@example.com', 'bob'], claims: { x: 1, email_verified: false } });
    const stale = { subject, ifVersion: version };
    await expect(users.update({ ...stale, claims: {} })).rejects.toMatchObject({ code: 'changed' });
    await expect(users.delete(stale)).rejects.toMatchObject({ code: 'changed' });
    await users.delete({ subject, ifVersion: changed.version });
    await expect(users.get({ subject })).rejects.toMatchObject({ code: 'not_found' });
    expect(records(events)).toEqual([
      { type: 'user', action: 'create', subject },
      { type: 'user', action: 'update', subject },
      { type: 'user', action: 'update', subject, reason: 'changed' },
      { type: 'user', action: 'delete', subject, reason: 'changed' },
      { type: 'user', action: 'delete', subject },
    ]);
  });

  it('two calls that disable a user both succeed, and the user has no access', async () => {
    const { users, subject, signIn, revoked } = await open(engine);
    const both = await Promise.all([users.disable({ subject }), users.disable({ subject })]);
    expect(both.map(({ state }) => state)).toEqual(['disabled', 'disabled']);
    expect(revoked()).toBeGreaterThanOrEqual(2);
    expect(await signIn()).toEqual({ state: 'refused' });
  });

  it('a user who is deleted during a sign-in does not sign in', async () => {
    const test = await open(engine);
    const { users, subject, clock, accounts, signIn } = test;
    const secret = await enrolTotp(test, subject);
    const progress = progressOf(await signIn(), 'factor');
    await users.delete({ subject });
    const code = totpCode(secret, clock.now);
    expect(await accounts.signIn.factor({ progress, kind: 'totp', code, binding })).toEqual({ state: 'expired' });
    expect(await signIn()).toEqual({ state: 'refused' });
  });

  it('pages have tokens that belong to their list', async () => {
    const { users } = await open(engine);
    for (const username of ['a1', 'a2', 'a3']) await users.create({ username });
    const first = await users.list({ search: 'a', limit: 2 });
    expect(first.users).toHaveLength(2);
    const rest = await users.list({ search: 'a', limit: 10, after: first.next });
    expect([...first.users, ...rest.users].flatMap(({ logins }) => logins).toSorted()).toEqual([
      'a1',
      'a2',
      'a3',
      login,
    ]);
    for (const after of [first.next, 'not a token', Buffer.from('["x"]').toString('base64url')])
      await expect(users.list({ search: 'b', after })).rejects.toMatchObject({ code: 'invalid_input', field: 'after' });
  });
});

describe('the management of users', () => {
  it.each([
    [{}, 'invalid_input', 'email'],
    [{ email: 'not an address' }, 'invalid_input', 'email'],
    [{ username: 'bob', password: 'short' }, 'invalid_input', 'password'],
    [{ username: 'bob', passwordHash: 'plain' }, 'invalid_input', 'passwordHash'],
    [{ username: 'bob', claims: { sub: 'x' } }, 'invalid_input', 'claims'],
    [{ email: login }, 'conflict', undefined],
  ])('names the member of a new user that is wrong: %j', async (user, code, field) => {
    const { users } = await open();
    await expect(users.create(user)).rejects.toMatchObject({ code, field });
  });

  it('a user whose sessions cannot be ended is disabled, not deleted, and the call can be repeated', async () => {
    const outage = { is: true };
    const onEvent = ({ type }: { readonly type: string }) => {
      if (type === 'deletion' && outage.is) throw new Error('the store is away');
    };
    const { users, subject, signIn } = await open('sqlite', {}, { onEvent });
    await expect(users.delete({ subject })).rejects.toThrow('the store is away');
    expect(await users.get({ subject })).toMatchObject({ state: 'disabled' });
    expect(await signIn()).toEqual({ state: 'refused' });
    outage.is = false;
    await users.delete({ subject });
    await expect(users.get({ subject })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('the revocation is repeated while the user is disabled, and not after the user is enabled', async () => {
    const { users, subject, revoked } = await open();
    await users.disable({ subject });
    expect(revoked()).toBe(1);
    await expect.poll(revoked, { timeout: 5_000 }).toBe(2);
    await users.update({ subject, state: 'active' });
    const before = revoked();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(revoked()).toBe(before);
  });

  it('another process continues the revocations of one that has ended', async () => {
    const { accounts, users, subject, clock, database } = await open();
    await users.disable({ subject });
    await accounts.close();
    const other = await openTestAccounts(testOptions({ database }));
    other.clock.now = clock.now + 4 * 60_000;
    await other.accounts.sweep();
    const revocations = () => other.events.filter(({ type }) => type === 'deletion');
    await expect.poll(revocations, { timeout: 3_000 }).toEqual([{ type: 'deletion', action: 'revoke', subject }]);
  });

  it('unlocking forgets wrong passwords and codes, and makes a locked user active', async () => {
    const test = await open();
    const { users, subject, signIn, clock, accounts } = test;
    const secret = await enrolTotp(test, subject);
    for (let guess = 0; guess < 10; guess += 1) await signIn('a wrong password');
    expect(await signIn()).not.toMatchObject({ state: 'factor' });
    await users.unlock({ subject });
    const progress = progressOf(await signIn(), 'factor');
    const verify = (code: string) => accounts.signIn.factor({ progress, kind: 'totp', code, binding });
    for (let guess = 0; guess < 6; guess += 1) await verify('000000');
    await users.unlock({ subject });
    expect(await verify(totpCode(secret, clock.now))).toMatchObject({ state: 'done' });
    await users.update({ subject, state: 'locked' });
    expect(await users.unlock({ subject })).toMatchObject({ state: 'active' });
    await users.update({ subject, state: 'disabled' });
    expect(await users.unlock({ subject })).toMatchObject({ state: 'disabled' });
  });

  it('users of another directory are read and found by login, and their access is ended; nothing else', async () => {
    const file = await fileDirectory('team', 'team.', { logins: ['tess'], claims: { name: 'Tess' } });
    const directories = [directoryOf({ kind: 'sql', name: 'people' }), file];
    const purged: object[] = [];
    const purgeElsewhere = async (which: object) => purged.push(which);
    const { users, revoked } = await open('sqlite', { directories }, { purgeElsewhere });
    const tess = { subject: 'team.u1', directory: 'team', state: 'active', claims: { name: 'Tess' } };
    expect(await users.get({ subject: 'team.u1' })).toMatchObject(tess);
    expect((await users.list({ login: 'tess' })).users).toMatchObject([{ ...tess, logins: ['tess'] }]);
    await users.endSessions({ subject: 'team.u1' });
    expect([revoked(), purged]).toEqual([1, [{ directory: 'team' }]]);
    await users.endSessions({ subject: 'team.removed' });
    expect(revoked()).toBe(2);
    for (const refused of [users.disable, users.delete])
      await expect(refused({ subject: 'team.u1' })).rejects.toMatchObject({ code: 'not_supported' });
    await expect(users.disable({ subject: 'absent' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('sessions end although the directory of the user does not answer', async () => {
    const away = directoryOf({ kind: 'http', name: 'shop', url: 'http://127.0.0.1:1/users' });
    const { users, revoked } = await open('sqlite', {
      directories: [directoryOf({ kind: 'sql', name: 'people' }), away],
    });
    await users.endSessions({ subject: 'shop.u1' });
    expect(revoked()).toBe(1);
  });

  it('without a directory of the kind sql, the error names the remedy', async () => {
    const file = await fileDirectory('team', 'team.', { logins: ['tess'] });
    const { accounts } = await openTestAccounts(testOptions({ directories: [file] }));
    await expect(accounts.users.list({})).rejects.toThrow('directory of the kind sql');
    await expect(accounts.users.create({ username: 'bob' })).rejects.toMatchObject({ code: 'not_supported' });
  });
});
