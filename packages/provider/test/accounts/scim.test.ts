import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { askLogin, login, refresh } from '../login.ts';
import { sqliteUrl, startAccounts } from './start-accounts.ts';
import { startScim, token } from './start-scim.ts';

describe('SCIM', () => {
  test('answers only callers with one of its tokens, and has no tokens of others', async () => {
    const hashed = `sha256:${createHash('sha256').update('the-new-token-of-the-scim-client!').digest('hex')}`;
    const { url } = await startScim({ token: hashed, previousToken: token });
    const statusFor = async (authorization: string | undefined) =>
      (await fetch(`${url}/Users`, { headers: authorization === undefined ? {} : { authorization } })).status;
    expect(await statusFor(`Bearer ${token}`)).toBe(200);
    expect(await statusFor('Bearer the-new-token-of-the-scim-client!')).toBe(200);
    for (const wrong of [undefined, 'Bearer ', `Basic ${token}`, `Bearer ${hashed}`, `Bearer ${token}x`])
      expect(await statusFor(wrong), wrong).toBe(401);
    const refused = await fetch(`${url}/Users`);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="scim"');
    expect(refused.headers.get('content-type')).toContain('application/scim+json');
  });

  test('has no endpoint unless it is configured', async () => {
    const instance = await startAccounts(sqliteUrl());
    expect(
      (await fetch(`${instance.issuer}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(404);
  });

  test('refuses more requests than its limit', async () => {
    const { send } = await startScim({ requestsPerSecond: 1 });
    const statuses = await Promise.all(Array.from({ length: 15 }, async () => (await send('GET', '/Schemas')).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  test('ends sessions and tokens of a user who is deactivated', async () => {
    const instance = await startScim();
    const { send, subject } = instance;
    const client = await registerClient(instance, 'app');
    const browser = createBrowser();
    const tokens = await login(instance, client, { browser, subject, login: { remember: true } });
    expect((await send('PUT', `/Users/${subject}`, { userName: 'ada@example.com', active: false })).status).toBe(200);
    expect((await askLogin(instance, client, { browser })).skip).toBe(false);
    expect((await refresh(instance, client, tokens.refresh_token)).status).toBe(400);
  });

  test('describes its schemas and features', async () => {
    const { send } = await startScim();
    expect((await send('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: true },
      sort: { supported: false },
      etag: { supported: true },
    });
    const schemas = await send('GET', '/Schemas');
    expect(schemas.body.totalResults).toBe(3);
    for (const { id } of schemas.body.Resources) expect((await send('GET', `/Schemas/${id}`)).body.id).toBe(id);
    expect((await send('GET', '/ResourceTypes/User')).body.endpoint).toBe('/Users');
    expect((await send('GET', '/Schemas?filter=x')).status).toBe(403);
    expect((await send('POST', '/.search', {})).status).toBe(501);
    expect((await send('DELETE', '/Users')).headers.get('allow')).toBe('GET, POST');
  });
});

describe('a resource of SCIM', () => {
  test('has a version, which If-Match compares and If-None-Match spares', async () => {
    const { send, create } = await startScim();
    const { id } = await create('bob');
    const path = `/Users/${id}`;
    const etag = String((await send('GET', path)).headers.get('etag'));
    expect((await send('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304);
    const put = (nickName: string, match: string) =>
      send('PUT', path, { userName: 'bob', nickName }, { 'if-match': match });
    expect((await put('one', etag)).status).toBe(200);
    expect(await put('two', etag)).toMatchObject({ status: 412, body: { scimType: 'invalidVers' } });
    expect((await send('DELETE', path, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await put('three', '*')).body.nickName).toBe('three');
  });

  test('has the attributes that are asked for', async () => {
    const { send, create } = await startScim();
    const { id } = await create('bob', { name: { givenName: 'Bob', familyName: 'B' }, title: 'x' });
    const of = async (query: string) => (await send('GET', `/Users/${id}?${query}`)).body;
    expect(await of('attributes=userName,NAME.givenName')).toEqual({
      schemas: expect.any(Array),
      ...{ id, userName: 'bob', name: { givenName: 'Bob' } },
    });
    const without = await of('excludedAttributes=id,name.familyName,meta');
    expect(without).toMatchObject({ id, name: { givenName: 'Bob' }, title: 'x' });
    expect(without.name).not.toHaveProperty('familyName');
    expect(without).not.toHaveProperty('meta');
  });

  test('has at most 100 values of an attribute, also after many operations of one PATCH', async () => {
    const { send, create } = await startScim();
    const { id } = await create('bob');
    const values = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ value: `m${at}-${count}@example.com` }));
    const add = (count: number) => ({ op: 'add', path: 'emails', value: values(count) });
    const began = performance.now();
    for (const operations of [[add(10_000)], [add(99), add(98)]]) {
      const answer = await send('PATCH', `/Users/${id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: operations,
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue', detail: expect.stringContaining('at most 100 values') },
      });
    }
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('takes no attributes of the server from a client', async () => {
    const { send } = await startScim();
    const body =
      '{"userName":"bob","id":"x","groups":[{"value":"x"}],"meta":{"version":"x"},"__proto__":{"title":"x"}}';
    const created = await send('POST', '/Users', body);
    expect(created.body).toEqual({
      ...{ schemas: expect.any(Array), id: expect.stringMatching(/^users\./), userName: 'bob', active: true },
      meta: expect.objectContaining({ version: created.headers.get('etag') }),
    });
    const patch = '{"Operations":[{"op":"add","value":{"__proto__":{"title":"x"}}}]}';
    expect((await send('PATCH', `/Users/${created.body.id}`, patch)).body.scimType).toBe('invalidPath');
  });

  test('keeps what all of several clients add at once', async () => {
    const { send, create } = await startScim();
    const { id } = await create('bob');
    const add = (value: string) => ({ Operations: [{ op: 'add', path: 'roles', value: [{ value }] }] });
    const answers = await Promise.all(['a', 'b'].map((value) => send('PATCH', `/Users/${id}`, add(value))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(
      (await send('GET', `/Users/${id}`)).body.roles.map(({ value }: { value: string }) => value).toSorted(),
    ).toEqual(['a', 'b']);
  });

  test('of a user has one primary address: a new one replaces it', async () => {
    const { send, create, carnet } = await startScim();
    const { id } = await create('bob', { emails: [{ value: 'a@example.com', primary: true }] });
    const value = [{ value: 'b@example.com', primary: true }];
    const { body } = await send('PATCH', `/Users/${id}`, { Operations: [{ op: 'add', path: 'emails', value }] });
    expect(body.emails).toEqual([{ value: 'a@example.com', primary: false }, ...value]);
    expect((await carnet.users?.get({ subject: id }))?.claims.email).toBe('b@example.com');
  });

  test('of a user may get its address as name later, and keeps an address that the user has proved', async () => {
    const { send, create, carnet } = await startScim();
    const { id } = await create('bob@example.com');
    const emails = [{ value: 'Bob@example.com', primary: true }];
    expect((await send('PUT', `/Users/${id}`, { userName: 'bob@example.com', emails })).status).toBe(200);
    await carnet.users?.update({ subject: id, emailVerified: true });
    await send('PUT', `/Users/${id}`, { userName: 'bob@example.com', emails, nickName: 'B' });
    expect((await carnet.users?.get({ subject: id }))?.claims).toMatchObject({ email_verified: true, nickname: 'B' });
  });

  test.each([
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', '{', 400, 'invalidSyntax'],
    ['POST', '/Users', [], 400, 'invalidSyntax'],
    ['POST', '/Users', { userName: 'bob', active: 'maybe' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'bob', password: 'short' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'bob', emails: [{ value: 'no address' }] }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'bob\0' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'ada@example.com' }, 409, 'uniqueness'],
    ['POST', '/Groups', { displayName: 'x', members: [{ value: 'absent' }] }, 400, 'invalidValue'],
    ['POST', '/Groups', { members: [] }, 400, 'invalidValue'],
    ['GET', '/Users/absent', undefined, 404, undefined],
    ['GET', '/Users/%00', undefined, 400, 'invalidValue'],
    ['PUT', '/Groups/absent', { displayName: 'x' }, 404, undefined],
    ['DELETE', '/Users/absent', undefined, 404, undefined],
    ['GET', '/Users?count=x', undefined, 400, 'invalidValue'],
  ])('has errors with a type: %s %s %j', async (method, path, body, status, scimType) => {
    const answer = await (await startScim()).send(method, path, body);
    expect([answer.status, answer.body.scimType]).toEqual([status, scimType]);
    expect(answer.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: `${status}`,
    });
    expect(JSON.stringify(answer.body)).not.toContain('short');
  });

  test.each([
    [{ op: 'replace', path: 'unknown', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'name[x eq 1]', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[x eq 1].value', value: 1 }, 'invalidFilter'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    [{ op: 'replace', path: 'password', value: 'a new long password' }, 'mutability'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'move', path: 'title' }, 'invalidSyntax'],
    [{ op: 'add', path: 'title', value: ['a', 'b'] }, 'invalidValue'],
    [{ op: 'add', value: 'x' }, 'invalidValue'],
  ])('stays as it is if one of the operations is refused: %j', async (operation, scimType) => {
    const { send, create } = await startScim();
    const created = await create('bob', { title: 'x' });
    const body = { Operations: [{ op: 'replace', path: 'title', value: 'y' }, operation] };
    expect(await send('PATCH', `/Users/${created.id}`, body)).toMatchObject({ status: 400, body: { scimType } });
    expect((await send('GET', `/Users/${created.id}`)).body).toEqual(created);
  });
});

describe('a list of SCIM', () => {
  test('has pages by index and count, and the number of all', async () => {
    const { send, create } = await startScim();
    for (let index = 0; index < 4; index += 1) await create(`user${index}`);
    const page = async (query: string) => {
      const { totalResults, startIndex, itemsPerPage, Resources } = (await send('GET', `/Users?${query}`)).body;
      return { counts: [totalResults, startIndex, itemsPerPage], ids: Resources.map(({ id }: { id: string }) => id) };
    };
    const all = await page('');
    expect(all.counts).toEqual([5, 1, 5]);
    const [first, second, last] = [
      await page('startIndex=0&count=2'),
      await page('startIndex=3&count=2'),
      await page('startIndex=5&count=2'),
    ];
    expect([first.counts, second.counts, last.counts]).toEqual([
      [5, 1, 2],
      [5, 3, 2],
      [5, 5, 1],
    ]);
    expect([...first.ids, ...second.ids, ...last.ids]).toEqual(all.ids);
    expect((await page('count=0')).counts).toEqual([5, 1, 0]);
    expect((await page('startIndex=99')).counts).toEqual([5, 99, 0]);
    const search = await send('POST', '/Users/.search', { filter: 'userName eq "user1"', attributes: ['userName'] });
    expect(search.body.Resources).toEqual([{ schemas: expect.any(Array), id: expect.any(String), userName: 'user1' }]);
  });

  test('filters by an index, decides by the whole filter, and refuses what has no index', async () => {
    const { create, found, send } = await startScim();
    const bob = await create('bob', { externalId: 'X1', name: { familyName: 'Builder' }, title: 'Chief' });
    const eve = await create('eve', { active: false });
    const { body: group } = await send('POST', '/Groups', { displayName: 'Staff', members: [{ value: bob.id }] });
    for (const filter of [
      'userName eq "BOB"',
      'USERNAME Eq "bob" and active eq true',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bob"',
      'externalId eq "X1"',
      `id eq "${bob.id}"`,
      'name.familyName sw "buil"',
      'userName eq "bob" and title eq "chief"',
      'title eq "chief" and userName eq "bob"',
      'userName eq "bob" and not (title co "x")',
      'userName eq "bob" and title pr',
    ])
      expect(await found('Users', filter), filter).toEqual([bob.id]);
    const both = 'userName eq "bob" or (userName eq "eve" and active eq "False")';
    expect(await found('Users', both)).toEqual([bob.id, eve.id].toSorted());
    for (const filter of [
      'externalId eq "x1"',
      'userName eq "bob" and externalId eq "x1"',
      'userName eq "bob" and title eq "x"',
      'userName eq "absent"',
    ])
      expect(await found('Users', filter), filter).toEqual([]);
    for (const filter of [
      'displayName eq "STAFF"',
      'displayName sw "st"',
      `members.value eq "${bob.id}"`,
      `members eq "${bob.id}"`,
    ])
      expect(await found('Groups', filter), filter).toEqual([group.id]);
    expect(await found('Groups', `members eq "${eve.id}" or members eq "absent"`)).toEqual([]);
    for (const filter of ['title eq "chief"', 'active eq true', 'userName co "b"', 'userName eq "bob" or title pr'])
      expect(await found('Users', filter), filter).toBe('tooMany');
    for (const filter of [
      'userName',
      'userName is "x"',
      'unknown eq "x"',
      'password eq "x"',
      'title[x eq 1]',
      '('.repeat(99),
    ])
      expect(await found('Users', filter), filter).toBe('invalidFilter');
  });

  test('has no users of other directories', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carnet-scim-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'staff.json');
    writeFileSync(
      path,
      JSON.stringify([
        { subject: 'ann', logins: ['ann'], passwordHash: await createPasswordHashing().hash('x', 'ann') },
      ]),
    );
    const directories = [
      { name: 'staff', kind: 'file' as const, path },
      { name: 'users', kind: 'sql' as const },
    ];
    const { send, found, subject, carnet } = await startScim({}, { directories });
    expect((await carnet.users?.get({ subject: 'staff.ann' }))?.logins).toEqual([]);
    expect((await send('GET', '/Users')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([subject]);
    for (const filter of ['userName eq "ann"', 'id eq "staff.ann"']) expect(await found('Users', filter)).toEqual([]);
    for (const method of ['GET', 'DELETE']) expect((await send(method, '/Users/staff.ann')).status, method).toBe(404);
  });
});
