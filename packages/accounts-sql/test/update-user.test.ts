import type { User } from '@carnet/accounts/store';
import { describe, expect, it } from 'vitest';
import { createRevocationStore, createUsers } from '../src/index.ts';
import { type Engine, engines, openUntilEnd, useDatabases } from './databases.ts';

const { createUrl } = useDatabases();

const open = async (engine: Engine) => {
  const database = await openUntilEnd(await createUrl(engine));
  const users = createUsers({ database, hashing: { hash: async () => 'unused' } });
  const create = async (username: string) => {
    const creation = await users.create({ username, email: `${username}@example.com`, claims: { name: username } });
    if (!creation.created) throw new Error(creation.message);
    return creation.user;
  };
  const read = async (id: string) => (await users.show(id)) as User;
  return { database, users, create, read };
};

describe.each(engines)('a change of a user in %s', (engine) => {
  it('sets login names, claims and state together, and the claims agree with the login names', async () => {
    const { users, create, read } = await open(engine);
    const { id, updatedAt } = await create('ada');
    const update = { id, email: 'Ada@Example.org', emailVerified: true, claims: { name: null, x: 1 } };
    expect(await users.update({ ...update, username: null, state: 'locked' })).toEqual({ updated: true });
    const user = await read(id);
    expect(user).toMatchObject({
      state: 'locked',
      identifiers: [{ kind: 'email', value: 'ada@example.org' }],
      claims: { email: 'Ada@Example.org', email_verified: true, x: 1 },
    });
    expect(Object.keys(user.claims)).not.toContain('preferred_username');
    expect(user.updatedAt).toBeGreaterThan(updatedAt);
    expect(await users.find('ada')).toBeUndefined();
  });

  it.each([
    ['taken', { username: 'bob', state: 'disabled' }],
    ['last_login', { email: null, username: null }],
    ['invalid_email', { email: 'ada' }],
    ['invalid_username', { username: 'a\0b' }],
    ['invalid_claims', { claims: { sub: 'root' } }],
    ['changed', { version: 1, state: 'disabled' }],
  ] as const)('that is refused (%s) changes nothing', async (reason, members) => {
    const { users, create, read } = await open(engine);
    const { id } = await create('ada');
    await create('bob');
    const before = await read(id);
    expect(await users.update({ id, ...members })).toMatchObject({ updated: false, reason });
    expect(await read(id)).toEqual(before);
    expect((await users.find('ada'))?.id).toBe(id);
    expect(await users.update({ id: 'unknown', ...members, version: undefined })).toMatchObject({ updated: false });
  });

  it('may make the email address the user name, and the other way round', async () => {
    const { users, create, read } = await open(engine);
    const { id } = await create('ada');
    const swapped = { id, email: null, username: 'ada@example.com', externalId: 'x1' };
    expect(await users.update(swapped)).toEqual({ updated: true });
    expect(await read(id)).toMatchObject({
      externalId: 'x1',
      identifiers: [{ kind: 'username', value: 'ada@example.com' }],
    });
    expect(await users.update({ id, email: 'ada@example.com', username: null, externalId: null })).toEqual({
      updated: true,
    });
    const user = await read(id);
    expect([user.externalId, user.identifiers]).toEqual([undefined, [{ kind: 'email', value: 'ada@example.com' }]]);
  });

  it('with the same version succeeds once, however many callers try, in one millisecond too', async () => {
    const { users, create, read } = await open(engine);
    const { id } = await create('ada');
    const { updatedAt: version } = await read(id);
    const updates = Array.from({ length: 10 }, (_, index) => users.update({ id, version, claims: { index } }));
    expect((await Promise.all(updates)).filter(({ updated }) => updated)).toHaveLength(1);
    expect((await read(id)).updatedAt).toBeGreaterThan(version);
  });

  it('with one login name for two users succeeds for one of them', async () => {
    const { users, create } = await open(engine);
    const both = [await create('ada'), await create('bob')];
    const results = await Promise.all(both.map(({ id }) => users.update({ id, username: 'free' })));
    expect(results.filter(({ updated }) => updated)).toHaveLength(1);
  });

  it('users are removed in the version that the caller knows', async () => {
    const { users, create, read } = await open(engine);
    const { id } = await create('ada');
    const { updatedAt } = await read(id);
    expect(await users.remove(id, 'people.x', updatedAt - 1)).toBe(false);
    expect(await users.remove(id, 'people.x', updatedAt)).toBe(true);
  });
});

describe.each(engines)('repeated revocations in %s', (engine) => {
  it('one of several processes continues each of them; an earlier end does not shorten a later one', async () => {
    const { database } = await open(engine);
    const store = createRevocationStore({ database });
    await store.begin({ subject: 'ada', untilAt: 2_000, dueAt: 100 });
    await store.begin({ subject: 'ada', untilAt: 1_000, dueAt: 200 });
    await store.begin({ subject: 'bob', untilAt: 1_000, dueAt: 900 });
    expect(await store.takeDue({ now: 199, dueAt: 500, limit: 10 })).toEqual([]);
    const taken = await Promise.all(
      Array.from({ length: 5 }, () => store.takeDue({ now: 200, dueAt: 500, limit: 10 })),
    );
    expect(taken.flat()).toEqual([{ subject: 'ada', untilAt: 2_000 }]);
    await store.end('ada', 1_000);
    expect(await store.takeDue({ now: 500, dueAt: 600, limit: 10 })).toHaveLength(1);
    await store.end('ada', 2_000);
    expect(await store.takeDue({ now: 5_000, dueAt: 6_000, limit: 10 })).toEqual([{ subject: 'bob', untilAt: 1_000 }]);
  });
});
