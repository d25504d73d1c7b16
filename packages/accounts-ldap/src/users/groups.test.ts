import type { Entry } from 'ldapts';
import { expect, test } from 'vitest';
import { groupsOf } from './groups.ts';

const settings = {
  base: 'dc=example',
  groupBase: undefined,
  groupNames: 'name',
  groups: 'memberOf',
  memberAttributes: ['member'],
  nestedGroups: false,
  nestedRule: undefined,
} as const;

test('a list of groups that Active Directory cuts is replaced by a search', async () => {
  const found = Array.from({ length: 2_000 }, (_, index) => ({ dn: `cn=group-${index},dc=example` }));
  const client = { search: async () => ({ searchEntries: found as Entry[], searchReferences: [] }) };
  const entry: Entry = { dn: 'cn=ada,dc=example', memberOf: [], 'memberOf;range=0-1499': ['cn=group-0,dc=example'] };
  expect(await groupsOf(client, settings, entry)).toHaveLength(2_000);
});
