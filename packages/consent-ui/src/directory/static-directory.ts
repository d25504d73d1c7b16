import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../config.ts';
import type { UserDirectory } from './user-directory.ts';
import { normalizeUserName } from './user-name.ts';

const staticUsers = z
  .array(
    z.object({
      subject: z.string().min(1),
      email: z.string().min(1),
      /** PHC string, as `argon2id` tools print it. Use one set of parameters for all users. */
      passwordHash: z.string().startsWith('$argon2id$'),
      claims: z.record(z.string(), z.unknown()).default({}),
    }),
  )
  .min(1);

export type StaticUser = z.input<typeof staticUsers>[number];

/**
 * Reads users from a JSON file: an array of `{ subject, email, passwordHash, claims }`. Throws a ConfigError that names
 * the file.
 */
export const readUsersFile = (path: string): StaticUser[] => {
  try {
    return staticUsers.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new ConfigError(`DEMO_USERS_FILE: ${path} is not a list of users with argon2id hashes: ${cause}`, { cause });
  }
};

/** A directory with a fixed list of users. */
export const createStaticDirectory = (users: readonly StaticUser[]): UserDirectory => {
  const bySubject = new Map(users.map((user) => [user.subject, user]));
  const byName = new Map(users.map((user) => [normalizeUserName(user.email), user]));
  const decoy = users[0]?.passwordHash;
  if (!decoy) throw new ConfigError('a static user directory needs at least one user');
  // Loaded by its name at run time: it has a native library, which the bundler would bind to the folder of this build.
  const argon2 = () => import(/* turbopackIgnore: true */ '@node-rs/argon2');

  return {
    authenticate: async (userName, password) => {
      const user = byName.get(normalizeUserName(userName));
      // A hash is computed in either case, so that the duration does not reveal which names exist.
      const { verify } = await argon2();
      const matches = await verify(user?.passwordHash ?? decoy, password);
      return matches && user ? { subject: user.subject, claims: user.claims ?? {} } : undefined;
    },
    claims: async (subject) => {
      const user = bySubject.get(subject);
      return user && (user.claims ?? {});
    },
  };
};
