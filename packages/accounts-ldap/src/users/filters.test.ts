import { expect, test } from 'vitest';
import { createUserFilters } from './filters.ts';

const create = (filter: string) => createUserFilters(filter, ['uid', 'mail'], 'entryUUID');

test('a filter without a placeholder is required in addition to the login', () => {
  expect(`${create('(objectClass=person)').forLogin('ada')}`).toBe('(&(objectClass=person)(|(uid=ada)(mail=ada)))');
});

test('a filter with a placeholder says which attributes are the login', () => {
  const filters = create('(&(objectClass=person)(|(uid={login})(mail={login}@example.org)))');
  expect(`${filters.forLogin('ada')}`).toBe('(&(objectClass=person)(|(uid=ada)(mail=ada@example.org)))');
  expect(filters.loginAttributes).toEqual(['uid', 'mail']);
  expect(filters.expected('mail', 'ada')).toBe('ada@example.org');
});

test.each(['*)(uid=*', '\\2a', '$&', '{login}', 'a\\', '('])('the login %s stays one value', (login) => {
  const filters = create('(uid={login})');
  expect(filters.forLogin(login)).toMatchObject({ attribute: 'uid', value: login });
});

test('a user is loaded by id only if the filter of the users matches', () => {
  const filters = create('(&(memberOf=cn=staff,dc=example)(uid={login}))');
  expect(`${filters.forId('1')}`).toBe('(&(entryUUID=1)(&(memberOf=cn=staff,dc=example)(uid=*)))');
});

test('escaped bytes in the filter are UTF-8', () => {
  expect(create('(&(o=M\\c3\\bcnchen)(uid={login}))').forLogin('ada')).toMatchObject({
    filters: [{ attribute: 'o', value: 'München' }, { value: 'ada' }],
  });
});
