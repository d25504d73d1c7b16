import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { selectGroupPage } from '../src/groups/groups.ts';
import { createGroupStore } from '../src/index.ts';
import { engines, useDatabases } from './databases.ts';
import { openTestUsers } from './open-users.ts';

const { createUrl } = useDatabases();

const open = async (engine: (typeof engines)[number]) => {
  const opened = await openTestUsers(await createUrl(engine));
  const groups = createGroupStore(opened);
  const create = async (name: string, members: readonly string[] = []) => {
    const created = await groups.create({ name, members });
    if (!created.updated) throw new Error(created.reason);
    return created.group;
  };
  const [ada, bob] = [await opened.create({ username: 'ada' }), await opened.create({ username: 'bob' })];
  return { ...opened, groups, createGroup: create, ada, bob };
};

describe.each(engines)('groups in %s', (engine) => {
  it('give their names to the claims of their members, beside groups that the claims have', async () => {
    const { users, directory, createGroup, ada, bob } = await open(engine);
    await createGroup('Staff', [ada.id, bob.id]);
    const { id } = await createGroup('Admins', [ada.id]);
    await users.updateClaims(ada.id, { groups: ['Upstream', 'Staff'] });
    expect((await directory.load(ada.id))?.claims.groups).toEqual(['Admins', 'Staff', 'Upstream']);
    const { updatedAt } = (await users.show(ada.id)) ?? {};
    await users.updateClaims(ada.id, { groups: ['Upstream', 'Staff'] });
    expect((await users.show(ada.id))?.updatedAt, 'a change that changes nothing').toBe(updatedAt);
    expect((await directory.find('bob'))?.claims.groups).toEqual(['Staff']);
    const shown = await users.show(ada.id);
    expect(shown?.claims.groups).toEqual(['Upstream', 'Staff']);
    expect(shown?.groups).toEqual([
      { id, name: 'Admins' },
      { id: expect.any(String), name: 'Staff' },
    ]);
  });

  it('have members that are added, removed and replaced, and report who changed', async () => {
    const { groups, createGroup, ada, bob } = await open(engine);
    const { id, updatedAt } = await createGroup('Staff', [ada.id]);
    const add = [ada.id, bob.id];
    expect(await groups.update({ id, add })).toEqual({ updated: true, added: [bob.id], removed: [] });
    expect(await groups.update({ id, members: [bob.id] })).toEqual({ updated: true, added: [], removed: [ada.id] });
    expect(await groups.update({ id, remove: [ada.id, bob.id] })).toMatchObject({ removed: [bob.id] });
    expect(await groups.update({ id, name: 'Crew', externalId: 'x1' })).toMatchObject({ updated: true });
    expect(await groups.show(id)).toMatchObject({ name: 'Crew', externalId: 'x1' });
    expect(await groups.update({ id, version: updatedAt, name: 'Old' })).toMatchObject({ reason: 'changed' });
    expect(await groups.update({ id: 'absent', name: 'x' })).toMatchObject({ reason: 'not_found' });
  });

  it('change as a whole or not at all', async () => {
    const { groups, createGroup, ada } = await open(engine);
    const { id } = await createGroup('Staff');
    const change = { id, name: 'Crew', add: [ada.id, 'absent'] };
    expect(await groups.update(change)).toEqual({ updated: false, reason: 'unknown_member', member: 'absent' });
    expect(await groups.show(id)).toMatchObject({ name: 'Staff' });
    expect(await groups.members({ id, limit: 10 })).toEqual([]);
    expect(await groups.create({ name: 'New', members: ['absent'] })).toMatchObject({ reason: 'unknown_member' });
    expect((await groups.list({ limit: 10, withTotal: true })).total).toBe(1);
  });

  it('have names that differ by more than case and white space', async () => {
    const { groups, createGroup } = await open(engine);
    const { id } = await createGroup('Sales  Europe');
    const other = await createGroup('Other');
    expect(await groups.create({ name: 'sales europe' })).toMatchObject({ reason: 'taken' });
    expect(await groups.update({ id: other.id, name: 'SALES EUROPE' })).toMatchObject({ reason: 'taken' });
    expect(await groups.update({ id, name: 'SALES EUROPE' })).toMatchObject({ updated: true });
    const creations = await Promise.all(Array.from({ length: 5 }, () => groups.create({ name: 'Once' })));
    expect(creations.filter(({ updated }) => updated)).toHaveLength(1);
    const renamed = [id, other.id].map((each) => groups.update({ id: each, name: 'Twice' }));
    const results = (await Promise.all(renamed)).map((result) => (result.updated ? 'updated' : result.reason));
    expect(results.sort()).toEqual(['taken', 'updated']);
  });

  it('lose a user who is deleted, in the same commit and with a new version', async () => {
    const { users, groups, createGroup, ada, bob } = await open(engine);
    const { id, updatedAt } = await createGroup('Staff', [ada.id, bob.id]);
    const other = await createGroup('Other', [bob.id]);
    await users.remove(ada.id, 'local.ada');
    expect((await groups.members({ id, limit: 10 })).map((member) => member.id)).toEqual([bob.id]);
    expect((await groups.show(id))?.updatedAt).toBeGreaterThan(updatedAt);
    expect(await groups.show(other.id)).toEqual(other);
    expect((await groups.list({ member: ada.id, limit: 10 })).groups).toEqual([]);
  });

  it('disappear from their members when they are removed', async () => {
    const { groups, directory, createGroup, ada } = await open(engine);
    const { id, updatedAt } = await createGroup('Staff', [ada.id]);
    expect(await groups.remove(id, updatedAt + 1)).toMatchObject({ reason: 'changed' });
    expect(await groups.remove(id)).toMatchObject({ updated: true });
    expect(await groups.remove(id)).toMatchObject({ reason: 'not_found' });
    expect((await directory.load(ada.id))?.claims).not.toHaveProperty('groups');
  });

  it('keep all of many changes that are made at once', async () => {
    const { groups, createGroup, create } = await open(engine);
    const { id } = await createGroup('Staff');
    const users = await Promise.all(Array.from({ length: 12 }, (_, index) => create({ username: `u${index}` })));
    await Promise.all(users.map((user) => groups.update({ id, add: [user.id] })));
    expect(await groups.members({ id, limit: 100 })).toHaveLength(12);
  });

  it('are found by name, beginning, id of the client and member, and listed in pages', async () => {
    const { groups, createGroup, ada } = await open(engine);
    const staff = await createGroup('Staff', [ada.id]);
    for (const name of ['Sales', 'Sales Europe', 'Support']) await createGroup(name);
    await groups.update({ id: staff.id, externalId: 'x1' });
    const namesOf = async (query: object) => {
      const { groups: found, total } = await groups.list({ limit: 10, withTotal: true, ...query });
      expect(total).toBe(found.length);
      return found.map(({ name }) => name).toSorted();
    };
    expect(await namesOf({ name: 'STAFF' })).toEqual(['Staff']);
    expect(await namesOf({ search: 'sal' })).toEqual(['Sales', 'Sales Europe']);
    expect(await namesOf({ externalId: 'x1' })).toEqual(['Staff']);
    expect(await namesOf({ member: ada.id })).toEqual(['Staff']);
    const first = await groups.list({ limit: 3, withTotal: true });
    const second = await groups.list({ limit: 3, after: first.next ?? '' });
    const skipped = await groups.list({ limit: 3, offset: 3 });
    expect([first.total, first.groups.length, second.next]).toEqual([4, 3, undefined]);
    expect(second.groups).toEqual(skipped.groups);
  });

  it('are found without a scan of all groups', async () => {
    const { database, groups } = await open(engine);
    const rows = Array.from({ length: 5_000 }, (_, index) => ({
      ...{ id: `g${index}`, name: `Group ${index}`, name_key: `group ${index}`, external_id: `x${index}` },
      ...{ created_at: 1, updated_at: 1 },
    }));
    for (let from = 0; from < rows.length; from += 500)
      await database.tables
        .insertInto('carnet_group')
        .values(rows.slice(from, from + 500))
        .execute();
    const members = rows.map(({ id }, index) => ({ group_id: id, user_id: `u${index}` }));
    for (let from = 0; from < members.length; from += 500)
      await database.tables
        .insertInto('carnet_group_member')
        .values(members.slice(from, from + 500))
        .execute();
    await sql`analyze`.execute(database.tables);
    const option = engine === 'sqlite' ? sql`query plan` : undefined;
    for (const query of [{}, { name: 'group 7' }, { search: 'group 70' }, { externalId: 'x7' }, { member: 'u1' }]) {
      const plan = await selectGroupPage(database.tables, { limit: 50, ...query }).explain(undefined, option);
      const text = plan.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
      expect(text, JSON.stringify(query)).not.toMatch(/Seq Scan|SCAN carnet_\w+(?! USING)/);
    }
    expect((await groups.list({ limit: 1, search: 'group 49', withTotal: true })).total).toBe(111);
  });
});
