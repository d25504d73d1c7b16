import type { DirectorySource } from '../config.ts';
import { demoUsers } from './demo-users.ts';
import { createHttpDirectory } from './http-directory.ts';
import { createStaticDirectory, readUsersFile } from './static-directory.ts';
import type { UserDirectory } from './user-directory.ts';

/** The user directory that the configuration names; throws a ConfigError if its file can't be used. */
export const openDirectory = (source: DirectorySource): UserDirectory => {
  switch (source.kind) {
    case 'http':
      return createHttpDirectory(source);
    case 'file':
      return createStaticDirectory(readUsersFile(source.path));
    case 'demo':
      return createStaticDirectory(demoUsers);
  }
};
