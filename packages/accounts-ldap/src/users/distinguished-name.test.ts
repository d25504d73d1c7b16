import { expect, test } from 'vitest';
import { isBelow, nameOf } from './distinguished-name.ts';

test.each([
  ['cn=Staff,ou=groups,dc=example', 'Staff'],
  ['cn=Sales\\, Europe,ou=groups', 'Sales, Europe'],
  ['CN=M\\C3\\BCnchen,OU=groups', 'München'],
  ['cn=a\\2cou=fake,ou=groups', 'a,ou=fake'],
  ['cn=x=y,ou=groups', 'x=y'],
  ['', ''],
])('the name of %s is %s', (dn, name) => {
  expect(nameOf(dn)).toBe(name);
});

test('an entry is below a base whatever the case and the spaces of the DNs', () => {
  expect(isBelow('CN=Staff, OU=Groups, DC=example', 'ou=groups,dc=Example')).toBe(true);
  expect(isBelow('ou=groups,dc=example', 'ou=groups,dc=example')).toBe(true);
  expect(isBelow('cn=staff,ou=others,dc=example', 'ou=groups,dc=example')).toBe(false);
  // The escaped comma is part of a name, not a separator.
  expect(isBelow('cn=x\\,ou=groups,dc=example', 'ou=groups,dc=example')).toBe(false);
});
