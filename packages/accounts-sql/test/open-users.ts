import { createPasswordHashing } from '@carnet/accounts/directory';
import type { NewUser, User } from '@carnet/accounts/store';
import { createUsers, openSqlDirectory } from '../src/index.ts';
import { openUntilEnd } from './databases.ts';

const hashing = createPasswordHashing({ maxWaitingPerOwner: 64 });

/** The users of a new database, `others` with a connection of its own. */
export const openTestUsers = async (url: string, now?: () => number) => {
  const [database, second] = [await openUntilEnd(url, now), await openUntilEnd(url, now)];
  const users = createUsers({ database, hashing, now });
  const create = async (user: NewUser): Promise<User> => {
    const created = await users.create(user);
    if (!created.created) throw new Error(created.message);
    return created.user;
  };
  const others = createUsers({ database: second, hashing, now });
  return { database, users, others, create, directory: openSqlDirectory({ database, name: 'local', hashing, now }) };
};
