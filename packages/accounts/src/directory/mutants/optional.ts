import type { Mutant } from './mutant.ts';

export const optionalMutants: readonly Mutant[] = [
  {
    name: 'changes-nothing',
    breaks: 'change-password-replaces-the-password',
    wrap: () => ({ changePassword: async () => ({ changed: true }) }),
  },
  {
    name: 'changes-without-the-current-password',
    breaks: 'change-password-needs-the-current-one',
    wrap: (directory, users) => ({
      changePassword: async (user, current, next) => {
        const right = users.find(({ name }) => name === user.claims.name)?.password ?? current;
        return (await directory.changePassword?.(user, right, next)) ?? { changed: true };
      },
    }),
  },
  {
    name: 'changes-to-the-empty-password',
    breaks: 'change-password-refuses-empty-passwords',
    wrap: (directory) => ({
      changePassword: async (user, current, next) =>
        next === ''
          ? { changed: true }
          : ((await directory.changePassword?.(user, current, next)) ?? { changed: true }),
    }),
  },
  {
    name: 'authenticates-with-any-password',
    breaks: 'authenticate-agrees-with-find-and-verify',
    wrap: (directory) => ({ authenticate: (login) => directory.find(login) }),
  },
  {
    name: 'authenticates-as-another-user',
    breaks: 'authenticate-agrees-with-find-and-verify',
    wrap: (directory) => ({
      authenticate: async (login, password) => {
        const user = await directory.authenticate?.(login, password);
        return user && { ...user, id: 'another' };
      },
    }),
  },
  {
    name: 'authenticates-no-user-during-an-outage',
    breaks: 'authenticate-is-unavailable-during-an-outage',
    wrap: (directory) => ({
      authenticate: async (login, password) => directory.authenticate?.(login, password).catch(() => undefined),
    }),
  },
];
