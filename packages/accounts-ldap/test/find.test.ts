import { startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { asActiveDirectory, open } from './directory.ts';

const slapd = beforeTests(() => startSlapd({ users: 10_000, sizeLimit: 50 }));

const claims = {
  preferred_username: 'ada',
  name: 'User ada',
  given_name: 'Ada',
  family_name: 'ada',
  email: 'ada@example.org',
  phone_number: '+44 20 0000',
};

describe('a user', () => {
  test('a login finds the user with claims, among 10,000 entries', async () => {
    const directory = await open(slapd);
    expect(await directory.find('ada')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      handle: slapd.user('ada').dn,
      claims,
      refusal: undefined,
      passwordVersion: undefined,
    });
    expect((await directory.find('user9999'))?.handle).toBe(slapd.user('user9999').dn);
    expect(await directory.find('nobody-here')).toBeUndefined();
  });

  test('50 first lookups at once find the user', async () => {
    const directory = await open(slapd, { poolSize: 3 });
    const before = (await slapd.statistics()).connections;
    const found = await Promise.all(Array.from({ length: 50 }, () => directory.find('ada')));
    expect(new Set(found.map((user) => user?.claims.name))).toEqual(new Set(['User ada']));
    const { connections } = await slapd.statistics();
    // Three of the pool, and those by which the statistics were read.
    expect(connections - before).toBeLessThanOrEqual(3 + 6);
  });

  test('an id loads the user with the current claims', async () => {
    const directory = await open(slapd, { claims: { title: 'title' } });
    const ben = await directory.find('ben');
    await slapd.modify(`dn: ${slapd.user('ben').dn}\nchangetype: modify\nreplace: title\ntitle: Clerk`);
    expect((await directory.load(ben?.id ?? ''))?.claims.title).toBe('Clerk');
    for (const id of ['', '*', 'no-such-id', slapd.user('ben').dn, ')(uid=*', 'a'.repeat(10_000)])
      expect(await directory.load(id)).toBeUndefined();
  });

  test.each([
    ['ad-suspended', 'disabled'],
    ['ad-left', 'expired'],
    ['locked', 'locked'],
    ['ada', undefined],
  ])('shows without a password whether the account is open: %s is %s', async (uid, refusal) => {
    const directory = await open(slapd);
    const user = await directory.find(uid);
    expect(user?.refusal).toBe(refusal);
    expect((await directory.load(user?.id ?? ''))?.refusal).toBe(refusal);
  });

  test('a login that two users share is ambiguous', async () => {
    const directory = await open(slapd);
    await expect(directory.find('twin')).rejects.toMatchObject({ name: 'DirectoryError', code: 'ambiguous' });
  });

  test('in Active Directory has the objectGUID in the byte order of its own tools', async () => {
    const directory = await open(slapd, asActiveDirectory);
    const user = await directory.find('ada@corp.example.org');
    // The bytes are ca86b5f1 3bc8 b7f4 427a2f9ba3cd2942.
    expect(user?.id).toBe('f1b586ca-c83b-f4b7-427a-2f9ba3cd2942');
    expect(await directory.find('ada')).toEqual(user);
    expect(await directory.load(user?.id ?? '')).toEqual(user);
  });

  test('a user without a readable id is an outage: a DN never identifies a user', async () => {
    const directory = await open(slapd, { idAttribute: 'employeeNumber' });
    await expect(directory.find('ada')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a hostile login', () => {
  test.each([
    ['a pattern', '*'],
    ['a pattern of the right length', 'ad*'],
    ['a filter', '*)(uid=*'],
    ['a filter that closes the other one', 'ada)(|(uid=*))'],
    ['NUL', 'ada\0'],
    ['NUL alone', '\0'],
    ['the empty string', ''],
    ['a backslash', '\\'],
    ['an escaped pattern', '\\2a'],
    ['a placeholder', '{login}'],
    ['a replacement pattern', '$&'],
    ['10 KB', 'a'.repeat(10_240)],
    ['a DN', 'uid=ada,ou=people,dc=example,dc=org'],
    ['wide letters', 'ａｄａ'],
    ['an invisible character', 'ad\u00ada'],
    ['a zero-width space', 'ad\u200ba'],
    ['Cyrillic letters', 'аdа'],
    ['spaces around', ' ada '],
    ['a letter without its diaeresis', 'zoe'],
  ])('finds no user: %s', async (_, login) => {
    const directory = await open(slapd);
    expect(await directory.find(login)).toBeUndefined();
  });

  test('does not harm the filter of an operator', async () => {
    const directory = await open(slapd, {
      filter: '(&(objectClass=person)(|(uid={login})(mail={login}@example.org)))',
    });
    expect((await directory.find('ada'))?.handle).toBe(slapd.user('ada').dn);
    for (const login of ['*', 'ada)(uid=*', '*)(mail=*']) expect(await directory.find(login)).toBeUndefined();
  });

  test('a login finds the user by the same letters, in any case and composition', async () => {
    const directory = await open(slapd);
    for (const login of ['zoë', 'ZOË', 'zoe\u0308'])
      expect((await directory.find(login))?.claims.name).toBe('User zoë');
  });
});

describe('groups', () => {
  const direct = ['dynamic', 'engineering', 'numbered'];
  const inherited = ['everyone', 'staff'];

  test('come from memberOf', async () => {
    const directory = await open(slapd, { groups: 'memberOf' });
    expect((await directory.find('ada'))?.claims.groups).toEqual([...direct, ...inherited].toSorted());
    expect((await directory.find('cleo'))?.claims.groups).toEqual([]);
  });

  test('elsewhere than below the base do not count', async () => {
    const directory = await open(slapd, { groups: 'memberOf', groupBase: 'ou=others,dc=example,dc=org' });
    expect((await directory.find('ada'))?.claims.groups).toEqual([]);
  });

  test('come from a search, with and without the groups of groups', async () => {
    const flat = await open(slapd, { groups: 'search' });
    expect((await flat.find('ada'))?.claims.groups).toEqual(['engineering', 'numbered']);
    const nested = await open(slapd, { groups: 'search', nestedGroups: true, groupNames: 'dn' });
    const names = ['engineering', 'everyone', 'numbered', 'staff'];
    expect((await nested.find('ada'))?.claims.groups).toEqual(names.map((name) => `cn=${name},${slapd.groupsDn}`));
  });

  test('of Active Directory are nested by its own rule, which slapd does not know', async () => {
    const directory = await open(slapd, { ...asActiveDirectory, groups: 'search', nestedGroups: true });
    expect((await directory.find('ada'))?.claims.groups).toEqual([]);
  });

  test('are read page by page', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `many-${index}`);
    const group = (name: string) =>
      `dn: cn=${name},${slapd.groupsDn}\nchangetype: add\nobjectClass: groupOfNames\nmember: ${slapd.user('ben').dn}`;
    await slapd.modify(names.map(group).join('\n\n'));
    const directory = await open(slapd, { groups: 'search' });
    expect((await directory.find('ben'))?.claims.groups).toEqual([...names, 'staff'].toSorted());
  });
});

test('a referral is not followed, and a base on another server is an outage', async () => {
  const around = await open(slapd, { base: slapd.remoteDn });
  expect(await around.find('ada')).toBeUndefined();
  const elsewhere = await open(slapd, { base: `cn=elsewhere,${slapd.remoteDn}` });
  await expect(elsewhere.find('ada')).rejects.toThrow(/10.*referrals are not followed/);
});
