import type { LawUser } from '../laws/law.ts';
import type { Directory, DirectoryUser } from '../port.ts';
import type { Mutant } from './mutant.ts';

/** `verify` also accepts what `accepts` says of the user with this password. */
const alsoAccepting = (
  directory: Directory,
  users: readonly LawUser[],
  accepts: (known: LawUser, password: string) => boolean,
): Partial<Directory> => ({
  verify: async (user, password) => {
    const verdict = await directory.verify(user, password);
    const known = users.find(({ name }) => name === user.claims.name);
    return known && accepts(known, password) ? { accepted: true } : verdict;
  },
});

/** Every call is answered after this time. */
const slowly = async <Value>(milliseconds: number, operation: () => Promise<Value>): Promise<Value> => {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return operation();
};

const accepting = (name: string, breaks: string, accepts: (known: LawUser, password: string) => boolean): Mutant => ({
  name,
  breaks,
  wrap: (directory, users) => alsoAccepting(directory, users, accepts),
});

export const passwordMutants: readonly Mutant[] = [
  {
    name: 'reads-passwords-as-latin1',
    breaks: 'verify-accepts-the-password',
    wrap: (directory) => ({
      verify: (user, password) => directory.verify(user, Buffer.from(password, 'latin1').toString('latin1')),
    }),
  },
  {
    name: 'accepts-a-password-once',
    breaks: 'verify-accepts-the-password',
    wrap: (directory) => {
      const used = new Set<string>();
      return {
        verify: async (user, password) => {
          if (used.has(user.id)) return { accepted: false, reason: 'wrong_password' };
          used.add(user.id);
          return directory.verify(user, password);
        },
      };
    },
  },
  accepting('accepts-any-user-s-password', 'verify-refuses-every-other-password', (_, password) =>
    password.startsWith('Correct horse of '),
  ),
  accepting('accepts-prefixes', 'verify-refuses-every-other-password', (known, password) =>
    known.password.startsWith(password),
  ),
  accepting(
    'trims-passwords',
    'verify-refuses-every-other-password',
    (known, password) => known.password === password.trim(),
  ),
  accepting(
    'ignores-the-case-of-passwords',
    'verify-refuses-every-other-password',
    (known, password) => known.password.toUpperCase() === password.toUpperCase(),
  ),
  {
    name: 'knows-no-wrong-passwords',
    breaks: 'verify-refuses-every-other-password',
    wrap: (directory) => ({
      verify: async (user, password) => {
        const verdict = await directory.verify(user, password);
        return verdict.accepted ? verdict : { accepted: false, reason: 'unknown_user' };
      },
    }),
  },
  accepting('accepts-the-empty-password', 'verify-refuses-empty-passwords', (_, password) => password === ''),
  accepting(
    'cuts-passwords-at-nul',
    'verify-refuses-empty-passwords',
    (known, password) => password.split('\0')[0] === known.password,
  ),
  accepting(
    'reads-72-bytes-of-a-password',
    'verify-reads-the-whole-password',
    (known, password) => password.length >= 72 && known.password.startsWith(password.slice(0, 72)),
  ),
  accepting(
    'accepts-locked-users',
    'verify-refuses-locked-and-disabled-users',
    (known, password) => known.state === 'locked' && known.password === password,
  ),
  accepting(
    'accepts-disabled-users',
    'verify-refuses-locked-and-disabled-users',
    (known, password) => known.state === 'disabled' && known.password === password,
  ),
  {
    name: 'remembers-accepted-passwords',
    breaks: 'verify-refuses-deleted-users',
    wrap: (directory) => {
      const accepted = new Set<string>();
      const keyOf = (user: DirectoryUser, password: string) => `${user.id} ${password}`;
      return {
        verify: async (user, password) => {
          if (accepted.has(keyOf(user, password))) return { accepted: true };
          const verdict = await directory.verify(user, password);
          if (verdict.accepted) accepted.add(keyOf(user, password));
          return verdict;
        },
      };
    },
  },
  {
    name: 'refuses-unknown-users-at-once',
    breaks: 'refusals-take-the-same-time',
    wrap: () => ({ verifyUnknown: async () => undefined }),
  },
  {
    name: 'refuses-unknown-users-slowly',
    breaks: 'refusals-take-the-same-time',
    wrap: (directory) => ({
      // Four checks and a pause: too slow on a machine of any speed.
      verifyUnknown: async (password, login) => {
        for (let check = 0; check < 3; check++) await directory.verifyUnknown(password, login);
        return slowly(300, () => directory.verifyUnknown(password, login));
      },
    }),
  },
];
