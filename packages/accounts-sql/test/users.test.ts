import type { User } from '@carnet/accounts/store';
import { describe, expect, it } from 'vitest';
import { createFactorStore } from '../src/index.ts';
import { engines, useDatabases } from './databases.ts';
import { openTestUsers } from './open-users.ts';

const { createUrl } = useDatabases();

const password = 'Correct horse battery';

describe.each(engines)('users in %s', (engine) => {
  const open = async () => openTestUsers(await createUrl(engine));

  it('are created, found by each login name in any spelling, and shown', async () => {
    const { users, create } = await open();
    const user = await create({ email: 'Ada@Example.com', username: 'ada', password, claims: { name: 'Ada' } });
    expect(user.claims).toEqual({
      preferred_username: 'ada',
      email: 'Ada@Example.com',
      email_verified: false,
      name: 'Ada',
    });
    for (const login of ['ada', 'ADA', ' ada@example.com ', 'ａｄａ']) expect(await users.find(login)).toEqual(user);
    expect(await users.show(user.id)).toEqual(user);
    expect(await users.find('adam')).toBeUndefined();
    expect(user.passwordVersion).toBe(1);
  });

  it('never share a login name, of either kind, also if twenty are created at once', async () => {
    const { users, create } = await open();
    await create({ email: 'ada@example.com' });
    for (const names of [{ email: 'ADA@example.com' }, { username: 'ada@example.com' }])
      expect(await users.create({ ...names, ...('email' in names && { username: 'free' }) })).toMatchObject({
        reason: 'taken',
      });
    expect(await users.find('free')).toBeUndefined();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      users.create({ email: 'bob@example.com', username: `bob${index}` }),
    );
    const created = (await Promise.all(attempts)).filter((answer) => answer.created);
    expect(created).toHaveLength(1);
    expect((await users.find('bob@example.com'))?.identifiers).toHaveLength(2);
    expect((await users.list({ limit: 50 })).users).toHaveLength(2);
  });

  it.each([
    ['a short password', { password: 'short' }, 'weak_password'],
    ['the login name as password', { password: 'ada@example.com' }, 'weak_password'],
    ['a very long password', { password: 'x'.repeat(1025) }, 'weak_password'],
    ['NUL in the password', { password: 'long enough\0' }, 'weak_password'],
    ['two addresses', { email: 'ada@example.com, eve@example.com' }, 'invalid_login'],
    ['an address without a domain', { email: 'ada' }, 'invalid_login'],
    ['NUL in the name', { username: 'a\0b' }, 'invalid_login'],
    ['half a surrogate pair', { username: '\ud800' }, 'invalid_login'],
    ['the claim sub', { claims: { sub: 'root' } }, 'invalid_claims'],
    ['the claim email', { claims: { email: 'eve@example.com' } }, 'invalid_claims'],
    ['large claims', { claims: { note: 'x'.repeat(20_000) } }, 'invalid_claims'],
    ['a password in place of a hash', { passwordHash: 'plain' }, 'unsupported_hash'],
    [
      'a hash that takes 4 GiB',
      { passwordHash: '$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA' },
      'unsupported_hash',
    ],
  ])('are refused with %s', async (_title, members, reason) => {
    const { users } = await open();
    expect(await users.create({ email: 'ada@example.com', ...members })).toMatchObject({ created: false, reason });
    expect((await users.list({ limit: 1 })).users).toEqual([]);
  });

  it('are listed in pages that show each of them once', async () => {
    const { users, create } = await open();
    for (let index = 0; index < 7; index++) await create({ username: `user${index}` });
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await users.list({ after, limit: 3 });
      expect(page.users.length).toBeLessThanOrEqual(3);
      seen.push(...page.users.map(({ identifiers }) => identifiers[0]?.value ?? ''));
      after = page.next;
    } while (after !== undefined);
    expect(seen.toSorted()).toEqual(Array.from({ length: 7 }, (_, index) => `user${index}`));
  });

  it('change claims at the same time without losing a change', async () => {
    const { users, create } = await open();
    const { id } = await create({ username: 'ada', claims: { name: 'Ada', zoneinfo: 'UTC' } });
    const changes = Array.from({ length: 10 }, (_, index) => users.updateClaims(id, { [`c${index}`]: index }));
    await Promise.all([...changes, users.updateClaims(id, { zoneinfo: null })]);
    const { claims } = (await users.show(id)) ?? {};
    expect(Object.keys(claims ?? {}).toSorted()).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `c${index}`),
      'name',
      'preferred_username',
    ]);
    expect(await users.updateClaims(id, { email: 'eve@example.com' })).toMatchObject({ reason: 'invalid_claims' });
    expect(await users.updateClaims('unknown', { name: 'x' })).toEqual({ updated: false, reason: 'not_found' });
  });

  it('disabled and locked users cannot sign in with the right password', async () => {
    const { users, directory, create } = await open();
    const { id } = await create({ username: 'ada', password });
    for (const state of ['disabled', 'locked'] as const) {
      expect(await users.setState(id, state)).toBe(true);
      const found = await directory.find('ada');
      expect(found).toMatchObject({ id, refusal: state });
      expect(await directory.verify(found as never, password)).toEqual({ accepted: false, reason: state });
      expect(await users.resetPassword({ id, passwordVersion: 1, password: 'Another password' })).toEqual({
        changed: false,
        reason: 'stale',
      });
    }
    await users.setState(id, 'active');
    const found = await directory.find('ada');
    expect(found?.refusal).toBeUndefined();
    expect(await directory.verify(found as never, password)).toEqual({ accepted: true });
    expect(await users.setState('unknown', 'locked')).toBe(false);
  });

  it('reset a password once for each version: a link ends when the password changes', async () => {
    const { users, directory, create } = await open();
    const { id } = await create({ username: 'ada', password });
    const reset = (passwordVersion: number, next: string) =>
      users.resetPassword({ id, passwordVersion, password: next });
    const results = await Promise.all(Array.from({ length: 5 }, (_, index) => reset(1, `A new password ${index}`)));
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
    const { passwordVersion } = (await users.show(id)) as User;
    expect(passwordVersion).toBe(2);
    expect(await users.setPassword(id, 'By an administrator')).toEqual({ changed: true });
    expect(await reset(2, 'With an old link')).toEqual({ changed: false, reason: 'stale' });
    expect(await reset(3, 'short')).toMatchObject({ reason: 'weak_password' });
    expect(await directory.verify((await directory.find('ada')) as never, 'By an administrator')).toEqual({
      accepted: true,
    });
  });

  it('users without a password sign in with none, and set the first one by a link', async () => {
    const { users, directory, create } = await open();
    const { id, passwordVersion } = await create({ username: 'ada' });
    const user = (await directory.find('ada')) as never;
    expect(passwordVersion).toBe(0);
    for (const attempt of ['', password]) expect((await directory.verify(user, attempt)).accepted).toBe(false);
    const results = await Promise.all([0, 0].map(() => users.resetPassword({ id, passwordVersion: 0, password })));
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await directory.verify(user, password)).toEqual({ accepted: true });
  });

  it('users with an imported hash get a new one at the first sign-in, and links to the password stay valid', async () => {
    const { database, users, directory, create } = await open();
    const ssha = '{SSHA}EGLOh3QXE7LxEsSoJrZ3tWVdhi5zYWx0';
    const { createHash } = await import('node:crypto');
    const digest = createHash('sha1').update(password).update('salt').digest();
    const passwordHash = `{SSHA}${Buffer.concat([digest, Buffer.from('salt')]).toString('base64')}`;
    expect(passwordHash).toHaveLength(ssha.length);
    const { id } = await create({ username: 'ada', passwordHash });
    const stored = async () =>
      (await database.tables.selectFrom('carnet_credential').select('password_hash as hash').execute())[0]?.hash;
    const user = (await directory.find('ada')) as never;
    expect((await directory.verify(user, 'wrong')).accepted).toBe(false);
    expect(await stored()).toBe(passwordHash);
    expect((await directory.verify(user, password)).accepted).toBe(true);
    expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await directory.verify(user, password)).accepted).toBe(true);
    expect((await users.show(id))?.passwordVersion).toBe(1);
  });

  it('are removed with their login names, passwords and factors', async () => {
    const { database, users, create } = await open();
    const factors = createFactorStore({ database });
    const [ada, bob] = [await create({ username: 'ada', password }), await create({ username: 'bob' })];
    for (const { id } of [ada, bob])
      await factors.add({
        id: `factor-${id}`,
        subject: `local.${id}`,
        kind: 'totp',
        label: '',
        payload: '{}',
        counter: 0,
        confirmedAt: 1,
        createdAt: 1,
        lastUsedAt: undefined,
        version: 1,
      });
    expect(await users.remove(ada.id, `local.${ada.id}`)).toBe(true);
    expect(await users.remove(ada.id, `local.${ada.id}`)).toBe(false);
    expect([await users.find('ada'), await users.setPassword(ada.id, password)]).toEqual([
      undefined,
      { changed: false, reason: 'not_found' },
    ]);
    expect([await factors.list(`local.${ada.id}`), (await factors.list(`local.${bob.id}`)).length]).toEqual([[], 1]);
    expect((await create({ username: 'ada' })).id).not.toBe(ada.id);
  });
});
