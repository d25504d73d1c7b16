import { assertSame } from '@carnet/adapter-contract/kit';
import type { Directory } from '../port.ts';
import { assertAbsent, assertAccepted, assertRefused, assertUnavailable, findKnown } from './assert.ts';
import type { Law } from './law.ts';
import { alice, bob } from './users.ts';

const next = 'Another correct battery staple';

const change = async (directory: Directory, current: string, password: string) => {
  if (directory.changePassword === undefined) throw new Error('the directory cannot change passwords');
  return directory.changePassword(await findKnown(directory, alice.login), current, password);
};

const authenticate = async (directory: Directory, login: string, password: string) => {
  if (directory.authenticate === undefined) throw new Error('the directory has no `authenticate`');
  return directory.authenticate(login, password);
};

const changeLaws: readonly Law[] = [
  {
    name: 'change-password-replaces-the-password',
    says: 'After a change the new password is accepted and the old one is refused; other users keep theirs.',
    needs: 'changePassword',
    async check({ open }) {
      const directory = await open([alice, bob]);
      assertSame(await change(directory, alice.password, next), { changed: true }, 'the change');
      const user = await findKnown(directory, alice.login);
      assertAccepted(await directory.verify(user, next), 'the new password');
      assertRefused(await directory.verify(user, alice.password), 'the old password');
      assertAccepted(await directory.verify(await findKnown(directory, bob.login), bob.password), 'another user');
    },
  },
  {
    name: 'change-password-needs-the-current-one',
    says: 'A change with a wrong or empty current password changes nothing.',
    needs: 'changePassword',
    async check({ open }) {
      const directory = await open([alice, bob]);
      for (const current of ['wrong', '', bob.password])
        assertSame((await change(directory, current, next)).changed, false, 'a change without the current password');
      const user = await findKnown(directory, alice.login);
      assertRefused(await directory.verify(user, next), 'the new password');
      assertAccepted(await directory.verify(user, alice.password), 'the current password');
    },
  },
  {
    name: 'change-password-refuses-empty-passwords',
    says: 'An empty new password, or one with NUL, changes nothing.',
    needs: 'changePassword',
    async check({ open }) {
      const directory = await open([alice]);
      for (const password of ['', 'Correct\0horse battery'])
        assertSame((await change(directory, alice.password, password)).changed, false, 'a change to an empty password');
      const user = await findKnown(directory, alice.login);
      assertAccepted(await directory.verify(user, alice.password), 'the current password');
    },
  },
];

const authenticateLaws: readonly Law[] = [
  {
    name: 'authenticate-agrees-with-find-and-verify',
    says: 'The right login and password give the user that find gives; anything else gives none.',
    needs: 'authenticate',
    async check({ open }) {
      const directory = await open([alice, bob, { ...bob, login: 'locked', email: 'x@example.org', state: 'locked' }]);
      const { id } = await findKnown(directory, alice.login);
      assertSame((await authenticate(directory, alice.login, alice.password))?.id, id, 'the id of the user');
      const refused = [
        [alice.login, bob.password],
        [alice.login, ''],
        [alice.login, `${alice.password}\0`],
        ['carol', alice.password],
        ['*', alice.password],
        ['', alice.password],
        ['locked', bob.password],
      ] as const;
      for (const [login, password] of refused)
        assertAbsent(
          await authenticate(directory, login, password),
          `authenticate ${JSON.stringify([login, password])}`,
        );
    },
  },
  {
    name: 'authenticate-is-unavailable-during-an-outage',
    says: 'During an outage authenticate is unavailable, for known and unknown users.',
    needs: 'authenticate',
    async check(fixture) {
      const directory = await fixture.open([alice]);
      await fixture.stop();
      try {
        for (const login of [alice.login, 'carol'])
          await assertUnavailable(authenticate(directory, login, alice.password), 'authenticate');
      } finally {
        await fixture.start();
      }
    },
  },
];

export const optionalLaws: readonly Law[] = [...changeLaws, ...authenticateLaws];
