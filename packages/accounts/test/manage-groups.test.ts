import { describe, expect, it } from 'vitest';
import {
  type Engine,
  engines,
  fileDirectory,
  openTestAccounts,
  openWithUser,
  password,
  testOptions,
  useDatabases,
} from './open-test-accounts.ts';

const databases = useDatabases();

const open = async (engine: Engine = 'sqlite') => {
  const test = await openWithUser(await databases.createUrl(engine));
  const { groups, users } = test.accounts;
  const binding = 'a login challenge';
  const claims = async () => {
    const signIn = await test.accounts.signIn.password({ login: 'ada@example.com', password, binding });
    return signIn.state === 'done' ? signIn.claims : undefined;
  };
  return { ...test, groups, users, claims };
};

describe.each(engines)('the management of groups in %s', (engine) => {
  it('puts a user into a group, and the next sign-in has its name as a claim', async () => {
    const { groups, subject, claims, accounts, users } = await open(engine);
    const { id } = await groups.create({ name: 'Staff', members: [subject] });
    expect((await claims())?.groups).toEqual(['Staff']);
    expect((await accounts.account.show({ subject })).claims.groups).toEqual(['Staff']);
    expect((await users.get({ subject })).groups).toEqual([{ id, name: 'Staff' }]);
    await groups.update({ id, name: 'Crew' });
    expect((await claims())?.groups).toEqual(['Crew']);
    await groups.update({ id, removeMembers: [subject] });
    expect(await claims()).not.toHaveProperty('groups');
  });

  it('records each change, each user who was added or removed, and each refusal', async () => {
    const { groups, subject, events } = await open(engine);
    const { id, version } = await groups.create({ name: 'Staff' });
    await groups.update({ id, addMembers: [subject] });
    await groups.update({ id, addMembers: [subject] });
    await expect(groups.update({ id, ifVersion: version, members: [] })).rejects.toMatchObject({ code: 'changed' });
    await groups.update({ id, members: [] });
    await groups.delete({ id });
    await expect(groups.delete({ id })).rejects.toMatchObject({ code: 'not_found' });
    const of = (action: string, more: object = {}) => ({ type: 'group', action, group: id, ...more });
    expect(events.filter(({ type }) => type === 'group')).toEqual([
      ...[of('create'), of('add', { subject }), of('update'), of('update')],
      ...[of('update', { reason: 'changed' }), of('remove', { subject }), of('update'), of('delete')],
      of('delete', { reason: 'not_found' }),
    ]);
  });

  it('lists the members in pages, with their names', async () => {
    const { groups, users } = await open(engine);
    const created = await Promise.all(
      ['u1', 'u2', 'u3'].map((username) => users.create({ username, claims: { name: username.toUpperCase() } })),
    );
    const { id } = await groups.create({ name: 'Staff', members: created.map(({ subject }) => subject) });
    const first = await groups.members({ id, limit: 2 });
    const rest = await groups.members({ id, limit: 2, after: first.next });
    expect([first.members.length, rest.next]).toEqual([2, undefined]);
    expect([...first.members, ...rest.members].map(({ name }) => name).toSorted()).toEqual(['U1', 'U2', 'U3']);
    await users.delete({ subject: created[0]?.subject ?? '' });
    expect((await groups.members({ id })).members).toHaveLength(2);
  });
});

describe('the management of groups', () => {
  it('takes only users of the accounts database as members, and names the wrong list', async () => {
    const { groups, subject } = await open();
    const { id } = await groups.create({ name: 'Staff' });
    const wrong = { code: 'invalid_input', field: 'members' };
    await expect(groups.create({ name: 'New', members: ['staff.ann'] })).rejects.toMatchObject(wrong);
    await expect(groups.update({ id, members: [`${subject}x`] })).rejects.toMatchObject(wrong);
    await expect(groups.update({ id, addMembers: [`${subject}x`] })).rejects.toMatchObject({ field: 'addMembers' });
    await expect(groups.create({ name: 'STAFF' })).rejects.toMatchObject({ code: 'conflict', field: 'name' });
    await expect(groups.members({ id: 'absent' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('needs a directory of the kind sql', async () => {
    const file = await fileDirectory('team', 'team.', { logins: ['tess'] });
    const { accounts } = await openTestAccounts(testOptions({ directories: [file] }));
    await expect(accounts.groups.list()).rejects.toMatchObject({ code: 'not_supported' });
  });
});
