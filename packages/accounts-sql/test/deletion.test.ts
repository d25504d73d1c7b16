import { describe, expect, it } from 'vitest';
import { createFactorStore, createLinkStore } from '../src/index.ts';
import { engines, useDatabases } from './databases.ts';
import { openTestUsers } from './open-users.ts';

const { createUrl } = useDatabases();

const day = 86_400_000;

describe.each(engines)('the deletion of users in %s', (engine) => {
  const open = async () => {
    const clock = { now: Date.now() };
    return { clock, ...(await openTestUsers(await createUrl(engine), () => clock.now)) };
  };

  it('has the time of the first request, is shown, and can be cancelled until then', async () => {
    const { clock, users, create } = await open();
    const { id } = await create({ username: 'ada' });
    expect((await users.show(id))?.deleteAt).toBeUndefined();
    expect(await users.cancelDeletion(id)).toBe(false);
    const at = clock.now + day;
    expect(await users.scheduleDeletion(id, at)).toBe(at);
    expect(await users.scheduleDeletion(id, at + day)).toBe(at);
    expect([(await users.show(id))?.deleteAt, await users.deletionOf(id)]).toEqual([at, at]);
    expect(await users.cancelDeletion(id)).toBe(true);
    expect([(await users.show(id))?.deleteAt, await users.deletionOf(id)]).toEqual([undefined, undefined]);
    await users.scheduleDeletion(id, at);
    clock.now = at;
    expect(await users.cancelDeletion(id)).toBe(false);
    expect(await users.scheduleDeletion('unknown', at)).toBeUndefined();
    expect(await users.deletionOf('unknown')).toBe(0);
  });

  it('removes a user whose time has come, with login names, password, factors and links, and no other user', async () => {
    const { clock, database, users, create } = await open();
    const [factors, links] = [createFactorStore({ database }), createLinkStore({ database })];
    const password = 'correct horse battery';
    const { id: ada } = await create({ email: 'ada@example.com', password });
    const { id: bob } = await create({ username: 'bob', password });
    for (const [index, id] of [ada, bob].entries()) {
      const factor = { kind: 'totp', label: '', payload: '{}', counter: 0, lastUsedAt: undefined } as const;
      const times = { confirmedAt: 1, createdAt: 1, version: 1 };
      await factors.add({ id: `f${id}`, subject: `local.${id}`, ...factor, ...times });
      await links.put({ id: `l${id}`, content: 'sealed', expiresAt: clock.now + 100 * day, userId: id });
      await users.scheduleDeletion(id, clock.now + (index + 1) * day);
    }
    await links.put({ id: 'of a sign-up', content: 'sealed', expiresAt: clock.now + 100 * day });
    expect(await users.listDue(10)).toEqual([]);
    expect(await users.removeDue(ada, `local.${ada}`)).toBe(false);
    clock.now += day;
    expect(await users.listDue(10)).toEqual([ada]);
    expect(await users.removeDue(bob, `local.${bob}`)).toBe(false);
    expect(await users.removeDue(ada, `local.${ada}`)).toBe(true);
    expect(await users.removeDue(ada, `local.${ada}`)).toBe(false);
    for (const table of ['carnet_user', 'carnet_identifier', 'carnet_credential', 'carnet_factor'] as const)
      expect(await database.tables.selectFrom(table).selectAll().execute()).toHaveLength(1);
    const left = await database.tables.selectFrom('carnet_link').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual([`l${bob}`, 'of a sign-up']);
    expect(await users.find('ada@example.com')).toBeUndefined();
    expect(await users.find('bob')).toBeDefined();
  });

  it('one of several processes deletes a user, and never after the user was kept', async () => {
    const { clock, users, others, create } = await open();
    const { id } = await create({ username: 'ada' });
    await users.scheduleDeletion(id, clock.now + day);
    expect(await others.cancelDeletion(id)).toBe(true);
    clock.now += day;
    expect(await users.removeDue(id, `local.${id}`)).toBe(false);
    await users.scheduleDeletion(id, clock.now);
    const removals = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? users : others).removeDue(id, `local.${id}`),
    );
    expect((await Promise.all(removals)).filter(Boolean)).toHaveLength(1);
  });
});
