import { type DirectoryFixture, type LawUser, lawsFor } from '@carnet/accounts/directory/laws';
import { startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, test } from 'vitest';

import { openLdapDirectory } from '../src/index.ts';
import { optionsFor } from './directory.ts';

const slapd = beforeTests(() => startSlapd({ users: 0 }));
beforeAll(async () => {
  await slapd.modify(`dn: ${base()}\nchangetype: add\nobjectClass: organizationalUnit`);
});

const base = (): string => `ou=laws,${slapd.suffix}`;

const text = (name: string, value: string): string => `${name}:: ${Buffer.from(value).toString('base64')}`;

/** The DN does not contain the login: logins need no escapes here. */
const dnOf = (index: number): string => `cn=law-${index},${base()}`;

const entryOf = ({ login, password, name, email, state }: LawUser, index: number): string =>
  [
    `dn: ${dnOf(index)}`,
    'changetype: add',
    ...['inetOrgPerson', 'adUser'].map((name) => text('objectClass', name)),
    ...[text('uid', login), text('sn', login), text('displayName', name), text('mail', email)],
    text('userPassword', password),
    ...(state === 'disabled' ? ['userAccountControl: 514'] : []),
    ...(state === 'locked' ? ['pwdAccountLockedTime: 000001010000Z'] : []),
  ].join('\n');

/** The number of users that slapd has now. */
let count = 0;

describe.each([
  ['LDAPS', () => ({ urls: [slapd.tlsUrl] })],
  ['StartTLS', () => ({ urls: [slapd.url] })],
] as const)('a directory by %s', (_, options) => {
  const fixture: DirectoryFixture = {
    async open(users) {
      const removed = Array.from({ length: count }, (_, index) => `dn: ${dnOf(index)}\nchangetype: delete`);
      await slapd.modify([...removed, ...users.map(entryOf)].join('\n\n'));
      count = users.length;
      return openLdapDirectory(
        optionsFor(slapd, { base: base(), claims: { name: 'displayName' }, timeoutMs: 2_000, ...options() }),
      );
    },
    stop: () => slapd.kill(),
    start: () => slapd.start(),
  };

  test.for(lawsFor(['changePassword']))('keeps the law $name', ({ check }) => check(fixture));
});
