import { expect, test } from 'vitest';
import { startScim } from './start-scim.ts';

type Scim = Awaited<ReturnType<typeof startScim>>;

interface Result {
  readonly method: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly version?: string;
  readonly status: string;
  readonly response?: { readonly scimType?: string };
}

const bulk = async ({ send }: Scim, operations: readonly unknown[], more: object = {}): Promise<readonly Result[]> => {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
  const { status, body } = await send('POST', '/Bulk', { schemas, ...more, Operations: operations });
  expect({ status, schemas: body.schemas }).toEqual({
    status: 200,
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'],
  });
  return body.Operations;
};

const user = (bulkId: string, data: object = {}) => ({
  ...{ method: 'POST', path: '/Users', bulkId },
  data: { userName: bulkId, ...data },
});

const group = (bulkId: string, ...members: string[]) => ({
  ...{ method: 'POST', path: '/Groups', bulkId },
  data: { displayName: bulkId, members: members.map((value) => ({ value })) },
});

const statuses = (results: readonly Result[]) => results.map(({ status }) => status);

const idIn = (result: Result | undefined) => result?.location?.split('/').at(-1);

test('a bulk request creates, changes and deletes, and answers each operation', async () => {
  const scim = await startScim();
  const { send, url, create } = scim;
  const [one, two, three] = [await create('u1'), await create('u2'), await create('u3')];
  const value = [{ op: 'replace', value: { active: false } }];
  const results = await bulk(scim, [
    user('new'),
    { method: 'PUT', path: `/Users/${one.id}`, version: one.meta.version, data: { userName: 'u1', nickName: 'One' } },
    { method: 'patch', path: `/Users/${two.id}`, data: { Operations: value } },
    { method: 'DELETE', path: `/Users/${three.id}` },
    { method: 'PUT', path: `/Users/${one.id}`, version: one.meta.version, data: { userName: 'u1' } },
  ]);
  const created = await send('GET', `/Users/${idIn(results[0])}`);
  expect(created.body.userName).toBe('new');
  expect(results).toEqual([
    {
      method: 'POST',
      bulkId: 'new',
      location: created.body.meta.location,
      version: created.body.meta.version,
      status: '201',
    },
    { method: 'PUT', location: `${url}/Users/${one.id}`, version: expect.stringMatching(/^W\//), status: '200' },
    { method: 'PATCH', location: `${url}/Users/${two.id}`, version: expect.stringMatching(/^W\//), status: '200' },
    { method: 'DELETE', location: `${url}/Users/${three.id}`, status: '204' },
    {
      ...{ method: 'PUT', location: `${url}/Users/${one.id}`, status: '412' },
      response: expect.objectContaining({ scimType: 'invalidVers', status: '412' }),
    },
  ]);
  expect((await send('GET', `/Users/${one.id}`)).body.nickName).toBe('One');
  expect((await send('GET', `/Users/${two.id}`)).body.active).toBe(false);
  expect((await send('GET', `/Users/${three.id}`)).status).toBe(404);
});

test('operations refer to others by bulkId, also to later ones: as members, in paths and in filters', async () => {
  const scim = await startScim();
  const results = await bulk(scim, [
    group('team', 'bulkId:ada', 'bulkId:bob'),
    user('ada', { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: 'bulkId:bob' } }),
    user('bob'),
    {
      ...{ method: 'PATCH', path: '/Groups/bulkId:team' },
      data: { Operations: [{ op: 'remove', path: 'members[value eq "bulkId:bob"]' }] },
    },
  ]);
  expect(statuses(results)).toEqual(['201', '201', '201', '204']);
  const [team, ada, bob] = results.map(idIn);
  expect(results[3]?.location).toBe(results[0]?.location);
  const { body } = await scim.send('GET', `/Groups/${team}`);
  expect(body.members.map((member: { value: string }) => member.value)).toEqual([ada]);
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  expect((await scim.send('GET', `/Users/${ada}`)).body[enterprise].manager.value).toBe(bob);
});

test('a text that looks like a reference is one only where a value is a resource', async () => {
  const scim = await startScim();
  const one = await scim.create('u1');
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  const patch = (id: string, ...Operations: object[]) => ({ method: 'PATCH', path: id, data: { Operations } });
  const results = await bulk(scim, [
    { method: 'PUT', path: `/Users/${one.id}`, data: { userName: 'u1', nickName: 'bulkId:x', active: false } },
    group('team'),
    user('ada', { displayName: 'bulkId:ada' }),
    patch('/Groups/bulkId:team', { op: 'add', path: 'members', value: [{ value: 'bulkId:ada', display: 'bulkId:x' }] }),
    patch(
      '/Users/bulkId:ada',
      { op: 'add', path: `${enterprise}:manager`, value: 'bulkId:ada' },
      { op: 'add', path: 'nickName', value: 'bulkId:ada' },
    ),
  ]);
  expect(statuses(results)).toEqual(['200', '201', '201', '204', '200']);
  expect((await scim.send('GET', `/Users/${one.id}`)).body).toMatchObject({ active: false, nickName: 'bulkId:x' });
  const ada = idIn(results[2]);
  expect((await scim.send('GET', `/Groups/${idIn(results[1])}`)).body.members).toMatchObject([{ value: ada }]);
  const { body } = await scim.send('GET', `/Users/${ada}`);
  expect(body).toMatchObject({ displayName: 'bulkId:ada', nickName: 'bulkId:ada' });
  expect(body[enterprise].manager.value).toBe(ada);
});

test('a version that is no text is refused, and the user stays as it is', async () => {
  const scim = await startScim();
  const one = await scim.create('u1');
  const data = { userName: 'u1', nickName: 'One' };
  const results = await bulk(scim, [{ method: 'PUT', path: `/Users/${one.id}`, version: 5, data }]);
  expect(results).toMatchObject([{ status: '400', response: { scimType: 'invalidValue' } }]);
  expect((await scim.send('GET', `/Users/${one.id}`)).body.nickName).toBeUndefined();
});

test('references in a circle, to a failed operation and to none are refused, and the others are done', async () => {
  const scim = await startScim();
  await scim.create('taken');
  const manager = (bulkId: string, of: string) =>
    user(bulkId, {
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: `bulkId:${of}` } },
    });
  const results = await bulk(scim, [
    manager('a', 'b'),
    manager('b', 'a'),
    user('taken'),
    group('of-failed', 'bulkId:taken'),
    group('of-none', 'bulkId:nobody'),
    group('of-itself', 'bulkId:of-itself'),
    user('well'),
  ]);
  expect(statuses(results)).toEqual(['409', '409', '409', '409', '400', '409', '201']);
  expect(results[0]).not.toHaveProperty('location');
  expect(await scim.found('Users', 'userName eq "a"')).toEqual([]);
});

test('a bulk request ends after as many errors as it allows', async () => {
  const scim = await startScim();
  await scim.create('taken');
  const operations = [user('one'), user('taken'), user('two'), user('taken-too'), user('three')];
  const bad = operations.map((each) => (each.bulkId === 'taken-too' ? { ...each, data: { userName: 'taken' } } : each));
  expect(statuses(await bulk(scim, bad, { failOnErrors: 2 }))).toEqual(['201', '409', '201', '409']);
  expect(await scim.found('Users', 'userName eq "three"')).toEqual([]);
});

test('operations that a bulk request cannot have are refused one by one', async () => {
  const scim = await startScim();
  const results = await bulk(scim, [
    { method: 'GET', path: '/Users' },
    { method: 'POST', path: '/Bulk', bulkId: 'x', data: { Operations: [] } },
    { method: 'POST', path: '/Users/.search', bulkId: 'y', data: {} },
    { method: 'POST', path: '/Users', data: { userName: 'no-bulk-id' } },
    { method: 'DELETE', path: '/Users' },
    { method: 'PUT', path: '/Users/x?attributes=id', data: {} },
    { method: '__proto__', path: '/Users' },
    'DELETE',
    { method: 'DELETE', path: '/Users/users.none' },
  ]);
  expect(statuses(results)).toEqual(['400', '400', '400', '400', '400', '400', '400', '400', '404']);
  expect((await scim.send('GET', '/Bulk')).headers.get('allow')).toBe('POST');
});

test('a bulk request is refused as a whole if it has too many operations, too many bytes or two of one bulkId', async () => {
  const scim = await startScim();
  const { send } = scim;
  const whole = async (body: unknown) => {
    const { status, body: answer } = await send('POST', '/Bulk', body);
    return [status, answer.scimType];
  };
  const { bulk: announced } = (await send('GET', '/ServiceProviderConfig')).body;
  const { maxOperations: most, maxPayloadSize: mostBytes } = announced;
  expect(announced.supported).toBe(true);
  const deletions = (count: number) =>
    Array.from({ length: count }, () => ({ method: 'DELETE', path: '/Users/users.none' }));
  expect(await bulk(scim, deletions(most))).toHaveLength(most);
  expect(await whole({ Operations: deletions(most + 1) })).toEqual([413, undefined]);
  const sized = (bytes: number) => JSON.stringify({ Operations: [] }).padEnd(bytes);
  expect((await send('POST', '/Bulk', sized(mostBytes))).status).toBe(200);
  expect((await send('POST', '/Bulk', sized(mostBytes + 1))).status).toBe(413);
  expect(await whole({ Operations: [user('a'), user('a')] })).toEqual([400, 'invalidValue']);
  expect(await whole({ Operations: [], failOnErrors: 0 })).toEqual([400, 'invalidValue']);
  expect(await whole({ Operations: {} })).toEqual([400, 'invalidSyntax']);
  expect(await whole([])).toEqual([400, 'invalidSyntax']);
  expect(await whole({ Operations: [], failOnErrors: '1' })).toEqual([400, 'invalidValue']);
});

test('each operation takes a place of the rate limit', async () => {
  const scim = await startScim({ requestsPerSecond: 1 });
  const results = await bulk(
    scim,
    Array.from({ length: 12 }, (_, index) => user(`u${index}`)),
  );
  expect(statuses(results).filter((status) => status === '201')).toHaveLength(9);
  expect(statuses(results).filter((status) => status === '429')).toHaveLength(3);
});

test('data of any depth is answered', async () => {
  const scim = await startScim();
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const text = `{"Operations":[{"method":"POST","path":"/Users","bulkId":"a","data":{"userName":"a","x":${deep}}}]}`;
  const { status, body } = await scim.send('POST', '/Bulk', text);
  expect([status, body.Operations[0].status]).toEqual([200, '201']);
});

test('/Me is not implemented, because a token is that of a program', async () => {
  const { send } = await startScim();
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect(await send(method, '/Me', method === 'GET' ? undefined : {})).toMatchObject({
      status: 501,
      body: { status: '501', schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'] },
    });
});
