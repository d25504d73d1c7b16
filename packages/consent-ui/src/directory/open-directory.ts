import type { OwnDirectorySource } from '../config.ts';
import { demoUsers } from './demo-users.ts';
import { createHttpDirectory } from './http-directory.ts';
import { createStaticDirectory, readUsersFile } from './static-directory.ts';
import type { UserDirectory } from './user-directory.ts';

/** Opens the configured user directory. @throws ConfigError if its file is not valid */
export const openDirectory = (source: OwnDirectorySource): UserDirectory => {
  switch (source.kind) {
    case 'http':
      return createHttpDirectory(source);
    case 'file':
      return createStaticDirectory(readUsersFile(source.path));
    case 'demo':
      return createStaticDirectory(demoUsers);
  }
};
