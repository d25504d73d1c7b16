import type { GroupOperations, ManagedGroup, UserOperations } from '@carnet/accounts';
import { expect, it } from 'vitest';
import { createScim } from '../create-scim.ts';

const token = 'a-token-of-the-scim-client-in-tests';

const unused = async (): Promise<never> => {
  throw new Error('This test has no users.');
};
const users: Pick<UserOperations, 'list' | 'get' | 'create' | 'update' | 'delete'> = {
  list: unused,
  get: unused,
  create: unused,
  update: unused,
  delete: unused,
};

const groupOf = (id: string): ManagedGroup => ({
  id,
  name: `Sales ${id}`,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  version: '1',
});

/** SCIM with groups of one member each, and the ids of the groups whose members were read. */
const open = () => {
  const all = ['a', 'b', 'c'].map(groupOf);
  const read: string[] = [];
  const groups: GroupOperations = {
    list: async ({ name } = {}) => ({
      groups: name === undefined ? all : all.filter((each) => each.name === name),
      total: all.length,
    }),
    get: async ({ id }) => groupOf(id),
    members: async ({ id }) => {
      read.push(id);
      return { members: [{ subject: 'users.ada', name: 'Ada' }] };
    },
    create: async () => groupOf('a'),
    update: async ({ id }) => groupOf(id),
    delete: async () => undefined,
  };
  const scim = createScim({
    users,
    groups,
    baseUrl: 'https://id.example.com/scim/v2',
    tokens: [{ name: 'test', values: [token] }],
  });
  const send = async (method: string, target: string, body?: object) => {
    read.length = 0;
    const [path = '', query = ''] = target.split('?');
    const response = await scim.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: { authorization: `Bearer ${token}` },
      body: async () => new TextEncoder().encode(JSON.stringify(body)),
    });
    const parsed = JSON.parse(response.body ?? '{}');
    const shown = [parsed, ...(parsed.Resources ?? [])].filter((each) => 'members' in each);
    return { status: response.status, read: [...read], shown: shown.length };
  };
  return { send };
};

const filterOf = (filter: string) => `filter=${encodeURIComponent(filter)}`;
const without = 'excludedAttributes=members';
const addAda = { Operations: [{ op: 'add', path: 'members', value: [{ value: 'users.ada' }] }] };
const whole = { displayName: 'Sales a', members: [{ value: 'users.ada' }] };

it.each([
  ['GET', `/Groups?${without}&${filterOf('displayName eq "Sales a"')}`, undefined, 200, []],
  ['GET', `/Groups?attributes=id&${filterOf('displayName sw "s"')}`, undefined, 200, []],
  ['GET', `/Groups?${without}`, undefined, 200, []],
  ['GET', `/Groups/a?${without}`, undefined, 200, []],
  ['GET', `/Groups?count=0&${filterOf('displayName sw "s"')}`, undefined, 200, []],
  ['POST', '/Groups/.search', { filter: 'displayName sw "s"', attributes: ['displayName'] }, 200, []],
  ['PATCH', '/Groups/a', addAda, 204, []],
  ['PATCH', `/Groups/a?${without}`, addAda, 200, []],
  ['PUT', `/Groups/a?${without}`, whole, 200, []],
  ['POST', `/Groups?attributes=displayName`, whole, 201, []],
  // The filter names members.
  [
    'GET',
    `/Groups?attributes=id&${filterOf('displayName eq "Sales b" and members eq "users.ada"')}`,
    undefined,
    200,
    ['b'],
  ],
  ['GET', `/Groups?attributes=id&${filterOf('id eq "a" and not (members[value eq "x"])')}`, undefined, 200, ['a']],
])('members are read only if the request needs them: %s %s %j', async (method, target, body, status, ids) => {
  expect(await open().send(method, target, body)).toEqual({ status, read: ids, shown: 0 });
});

it.each([
  ['GET', `/Groups?${filterOf('displayName eq "Sales a"')}`, undefined, 200, ['a']],
  ['GET', `/Groups?count=1&startIndex=2&${filterOf('displayName sw "s"')}`, undefined, 200, ['b']],
  ['PATCH', '/Groups/a?attributes=members', addAda, 200, ['a']],
  ['PUT', '/Groups/a', whole, 200, ['a']],
  ['POST', '/Groups', whole, 201, ['a']],
])('members of the groups in the answer are read: %s %s', async (method, target, body, status, ids) => {
  expect(await open().send(method, target, body)).toEqual({ status, read: ids, shown: 1 });
});
