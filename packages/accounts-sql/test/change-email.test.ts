import { describe, expect, it } from 'vitest';
import { engines, useDatabases } from './databases.ts';
import { openTestUsers } from './open-users.ts';

const { createUrl } = useDatabases();

const from = 'ada@example.com';
const to = 'ada@example.org';

describe.each(engines)('a new email address in %s', (engine) => {
  const open = async () => openTestUsers(await createUrl(engine));

  it('replaces the login name and the claim, verified, and keeps the user name and the other claims', async () => {
    const { users, create, directory } = await open();
    const { id } = await create({ email: from, username: 'ada', claims: { name: 'Ada' } });
    expect(await users.changeEmail({ id, from, to, passwordVersion: 0 })).toEqual({ changed: true });
    expect(await users.find(from)).toBeUndefined();
    expect((await users.find('ada'))?.id).toBe(id);
    const claims = { preferred_username: 'ada', email: to, email_verified: true, name: 'Ada' };
    expect(await directory.find(to)).toMatchObject({ id, claims });
    expect((await create({ email: from })).id).not.toBe(id);
  });

  it('a user without an address can add the first one', async () => {
    const { users, create } = await open();
    const { id } = await create({ username: 'ada' });
    expect(await users.changeEmail({ id, from, to, passwordVersion: 0 })).toMatchObject({ reason: 'stale' });
    expect(await users.changeEmail({ id, from: undefined, to, passwordVersion: 0 })).toEqual({ changed: true });
    expect((await users.find(to))?.identifiers).toHaveLength(2);
  });

  it('the change is refused after a new password, another address, or the end of the account', async () => {
    const { users, create } = await open();
    const { id } = await create({ email: from, password: 'correct horse battery' });
    const change = { id, from, to, passwordVersion: 1 };
    const stale = { changed: false, reason: 'stale' };
    await users.setState(id, 'disabled');
    expect(await users.changeEmail(change)).toEqual(stale);
    await users.setState(id, 'active');
    await users.setPassword(id, 'another long password');
    expect(await users.changeEmail(change)).toEqual(stale);
    expect(await users.changeEmail({ ...change, passwordVersion: 2 })).toEqual({ changed: true });
    expect(await users.changeEmail({ ...change, to: 'ada@example.net', passwordVersion: 2 })).toEqual(stale);
    expect(await users.changeEmail({ ...change, id: 'unknown' })).toEqual(stale);
    expect((await users.show(id))?.identifiers).toEqual([{ kind: 'email', value: to }]);
  });

  it('never belongs to two users, also if ten confirm it at once in two processes', async () => {
    const { users, others, create } = await open();
    await create({ username: to });
    const ids = [];
    for (let index = 0; index < 10; index++) ids.push((await create({ email: `user${index}@example.com` })).id);
    const change = (id: string, index: number, address: string) =>
      (index % 2 === 0 ? users : others).changeEmail({
        id,
        from: `user${index}@example.com`,
        to: address,
        passwordVersion: 0,
      });
    const taken = { changed: false, reason: 'taken' };
    expect(await change(ids[0] ?? '', 0, to)).toEqual(taken);
    expect((await users.find('user0@example.com'))?.claims).toMatchObject({ email: 'user0@example.com' });
    const results = await Promise.all(ids.map((id, index) => change(id, index, 'free@example.com')));
    expect(results.filter(({ changed }) => changed)).toHaveLength(1);
    expect(results.filter((result) => !result.changed)).toEqual(Array(9).fill(taken));
  });
});
