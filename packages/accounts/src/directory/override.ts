import type { Directory } from './port.ts';

/** A directory with some members replaced. It delegates the others, so that a directory may be an object of any class. */
export const override = (directory: Directory, members: Partial<Directory>): Directory => ({
  name: directory.name,
  find: (login) => directory.find(login),
  load: (id) => directory.load(id),
  verify: (user, password) => directory.verify(user, password),
  verifyUnknown: (password, login) => directory.verifyUnknown(password, login),
  ...(directory.authenticate && {
    authenticate: async (login: string, password: string) => directory.authenticate?.(login, password),
  }),
  ...(directory.changePassword && { changePassword: directory.changePassword.bind(directory) }),
  check: () => directory.check(),
  close: () => directory.close(),
  ...members,
});
