import { describe, expect, test } from 'vitest';
import { password } from './start-accounts.ts';
import { startScim } from './start-scim.ts';

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';

const patch = (...Operations: readonly object[]) => ({ schemas: [patchOp], Operations });

describe('Entra', () => {
  test('tests the connection with a user that does not exist, and gets an empty list', async () => {
    const { send } = await startScim();
    const filter = encodeURIComponent('userName eq "6e5b6c3c-4b0a-4c8f-9f1e-4e2c4ad6f1d9"');
    expect(await send('GET', `/Users?filter=${filter}`)).toMatchObject({
      status: 200,
      body: { totalResults: 0, Resources: [] },
    });
  });

  test('creates a user, changes it with Replace, Add and paths that do not exist yet, and deactivates it with "False"', async () => {
    const { send, found, carnet, call } = await startScim();
    const created = await send('POST', '/Users', {
      schemas: [userUrn, enterprise],
      externalId: 'Ada.Byron',
      userName: 'Ada.Byron@contoso.example',
      active: true,
      displayName: 'Ada Byron',
      emails: [{ primary: true, type: 'work', value: 'Ada.Byron@contoso.example' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Byron', familyName: 'Byron', givenName: 'Ada' },
      roles: [],
      [enterprise]: { department: 'Engines' },
    });
    expect(created).toMatchObject({ status: 201, body: { userName: 'Ada.Byron@contoso.example', active: true } });
    const { id } = created.body;
    expect(created.headers.get('location')).toBe(created.body.meta.location);
    expect(await found('Users', 'externalId eq "Ada.Byron"')).toEqual([id]);
    expect(await found('Users', 'emails[type eq "work"].value eq "ada.byron@contoso.example"')).toEqual([id]);
    expect(await found('Users', 'emails[type eq "home"].value eq "ada.byron@contoso.example"')).toEqual([]);
    expect(await found('Users', 'emails[type eq "work" and value eq "ada.byron@contoso.example"]')).toEqual([id]);

    const changed = await send(
      'PATCH',
      `/Users/${id}`,
      patch(
        { op: 'Replace', path: 'name.familyName', value: 'Lovelace' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@contoso.example' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 425 555 0100' },
        { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' },
        { op: 'Add', path: `${enterprise}:manager`, value: '7d3a' },
        { op: 'Replace', path: `${enterprise}:department`, value: 'Analysis' },
        { op: 'Add', path: 'title', value: 'Countess' },
      ),
    );
    expect(changed.body).toMatchObject({
      userName: 'Ada.Byron@contoso.example',
      name: { familyName: 'Lovelace', givenName: 'Ada' },
      emails: [{ type: 'work', value: 'ada@contoso.example' }],
      phoneNumbers: [{ type: 'mobile', value: '+1 425 555 0100' }],
      [enterprise]: { manager: { value: '7d3a' }, department: 'Analysis' },
    });
    const user = await carnet.users?.get({ subject: id });
    expect(user?.logins.toSorted()).toEqual(['ada.byron@contoso.example', 'ada@contoso.example']);
    expect(user?.claims).toMatchObject({
      family_name: 'Lovelace',
      title: 'Countess',
      department: 'Analysis',
      phone_number: '+1 425 555 0100',
      address: { locality: 'London' },
      email: 'ada@contoso.example',
      email_verified: false,
    });

    const off = await send('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }));
    expect(off.body.active).toBe(false);
    expect((await carnet.users?.get({ subject: id }))?.state).toBe('disabled');
    const on = await send('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'True' }));
    expect(on.body.active).toBe(true);
    expect((await call('account/show', { subject: id })).body.claims.name).toBe('Ada Byron');
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await send('GET', `/Users/${id}`)).toMatchObject({ status: 404, body: { status: '404' } });
  });

  test('adds members, and removes them by a filter or by a value, which empties no group', async () => {
    const { send, create, call } = await startScim();
    const [ada, bob, eve] = [await create('u1'), await create('u2'), await create('u3')];
    const group = await send('POST', '/Groups', { displayName: 'Sales', externalId: '8aa1a0c0', members: [] });
    const path = `/Groups/${group.body.id}`;
    const members = async () =>
      ((await send('GET', path)).body.members ?? []).map(({ value }: { value: string }) => value).toSorted();
    const value = [ada, bob, eve].map((user) => ({ $ref: null, value: user.id }));
    await send('PATCH', path, patch({ op: 'Add', path: 'members', value }));
    expect(await members()).toEqual([ada.id, bob.id, eve.id].toSorted());
    expect((await call('account/show', { subject: ada.id })).body.claims.groups).toEqual(['Sales']);
    await send('PATCH', path, patch({ op: 'Remove', path: `members[value eq "${ada.id}"]` }));
    await send('PATCH', path, patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: bob.id }] }));
    expect(await members()).toEqual([eve.id]);
    expect((await send('GET', `${path}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    const renamed = await send('PATCH', path, patch({ op: 'Replace', path: 'displayName', value: 'Trade' }));
    expect(renamed.status).toBe(204);
    const read = await send('GET', path);
    expect(read.body).toMatchObject({ displayName: 'Trade', externalId: '8aa1a0c0' });
    expect(renamed.headers.get('etag')).toBe(read.headers.get('etag'));
    expect((await call('account/show', { subject: eve.id })).body.claims.groups).toEqual(['Trade']);
  });
});

describe('Okta', () => {
  test('tests with a page of two, and looks for the user before it creates one', async () => {
    const { send, found } = await startScim();
    const page = await send('GET', '/Users?startIndex=1&count=2');
    expect(page.body).toMatchObject({ totalResults: 1, startIndex: 1, itemsPerPage: 1 });
    expect(await found('Users', 'userName eq "isaac@example.com"')).toEqual([]);
    const user = { schemas: [userUrn], userName: 'isaac@example.com', password: 'a long secret of okta', active: true };
    const emails = [{ primary: true, value: 'isaac@example.com', type: 'work' }];
    const created = await send('POST', '/Users', { ...user, emails, name: { givenName: 'Isaac', familyName: 'N' } });
    expect(created.status).toBe(201);
    expect(JSON.stringify(created.body)).not.toContain('secret');
    expect(await send('POST', '/Users', user)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  });

  test('sends the whole user by PUT, and deactivates by a PATCH without a path', async () => {
    const { send, carnet, create } = await startScim();
    const { id } = await create('isaac@example.com', { emails: [{ primary: true, value: 'isaac@example.com' }] });
    const whole = { schemas: [userUrn], id, userName: 'isaac@example.com', active: true, name: { givenName: 'Isaac' } };
    const emails = [{ primary: true, value: 'isaac@example.org', type: 'work' }];
    const replaced = await send('PUT', `/Users/${id}`, { ...whole, emails, nickName: 'Ike' });
    expect(replaced.body).toMatchObject({ userName: 'isaac@example.com', nickName: 'Ike', emails });
    const again = await send('PUT', `/Users/${id}`, whole);
    expect(again.body).not.toHaveProperty('nickName');
    expect((await carnet.users?.get({ subject: id }))?.logins).toEqual(['isaac@example.com']);
    await send('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } }));
    expect((await carnet.users?.get({ subject: id }))?.state).toBe('disabled');
  });

  test('replaces all members of a group, and its name, without a path', async () => {
    const { send, create } = await startScim();
    const [one, two] = [await create('u1'), await create('u2')];
    const group = await send('POST', '/Groups', { displayName: 'Team', members: [{ value: one.id, display: 'u1' }] });
    const path = `/Groups/${group.body.id}`;
    const renamed = await send(
      'PATCH',
      path,
      patch({ op: 'replace', value: { id: group.body.id, displayName: 'Crew' } }),
    );
    expect(renamed.status).toBe(204);
    expect((await send('GET', path)).body).toMatchObject({ displayName: 'Crew', members: [{ value: one.id }] });
    const value = [{ value: two.id }];
    const replaced = await send(
      'PATCH',
      `${path}?attributes=members`,
      patch({ op: 'replace', path: 'members', value }),
    );
    expect(replaced).toMatchObject({ status: 200, body: { members: [{ value: two.id }] } });
    const put = await send('PUT', path, { displayName: 'Crew', members: [] });
    expect(put.body).not.toHaveProperty('members');
  });
});

test('a deactivated user loses sessions and tokens, cannot sign in, and the change is in the audit log', async () => {
  const { send, subject, call, logLines } = await startScim();
  const signIn = () => call('sign-in/password', { login: 'ada@example.com', password, binding: 'c' });
  expect((await signIn()).body.state).toBe('done');
  await send('PATCH', `/Users/${subject}`, patch({ op: 'replace', value: { active: false } }));
  expect((await signIn()).body).toEqual({ state: 'refused' });
  const audits = logLines.map((line) => JSON.parse(line).audit).filter((audit) => audit?.action === 'user.disable');
  expect(audits).toMatchObject([{ outcome: 'success', subject, byAdmin: true, adminTokenName: 'accounts.scim.token' }]);
});
