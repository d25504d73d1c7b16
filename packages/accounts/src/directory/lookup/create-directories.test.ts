import { describe, expect, it } from 'vitest';
import { createMemoryCacheStore } from '../cache/memory-cache-store.ts';
import { DirectoryError } from '../directory-error.ts';
import { createStaticDirectory } from '../file/list-directory.ts';
import type { ListedUser } from '../file/user-list.ts';
import { override } from '../override.ts';
import { createPasswordHashing } from '../passwords/password-hashing.ts';
import type { Directory } from '../port.ts';
import { createDirectories } from './create-directories.ts';
import type { DirectoryEntry } from './directory-entry.ts';

const hashing = createPasswordHashing({ memoryKiB: 64, iterations: 1, concurrency: 4 });
const hashes = {
  secret: await hashing.hash('secret', ''),
  other: await hashing.hash('other', ''),
};

const user = (
  subject: string,
  password: keyof typeof hashes = 'secret',
  more: Partial<ListedUser> = {},
): ListedUser => ({
  subject,
  logins: [subject],
  passwordHash: hashes[password],
  claims: { name: subject },
  ...more,
});

const outage = async (): Promise<never> => {
  throw new DirectoryError('unavailable', 'broken', 'no answer');
};
const failing = { find: outage, load: outage, verify: outage, verifyUnknown: outage };

/** A directory that counts its calls. */
const open = (name: string, users: readonly ListedUser[], members: Partial<Directory> = {}) => {
  const directory = override(createStaticDirectory({ name, users, hashing }), members);
  const calls: string[] = [];
  const counted = override(directory, {
    find: (login) => {
      calls.push('find');
      return directory.find(login);
    },
    verify: (found, password) => {
      calls.push('verify');
      return directory.verify(found, password);
    },
    verifyUnknown: (password, login) => {
      calls.push('verify');
      return directory.verifyUnknown(password, login);
    },
  });
  return { directory: counted, calls };
};

const list = (...entries: DirectoryEntry[]) => createDirectories(entries);

describe('a user whose password may not be checked', () => {
  it('the answer is that of a wrong password, which is checked in place of the one that was sent', async () => {
    const sent: string[] = [];
    const corp = createStaticDirectory({ name: 'corp', users: [user('alice')], hashing });
    const watched = override(corp, {
      verify: (found, password) => {
        sent.push(password);
        return corp.verify(found, password);
      },
    });
    const asked: string[] = [];
    const never = async (subject: string) => {
      asked.push(subject);
      return false;
    };
    const directories = list({ directory: watched });
    const refused = await directories.authenticate('alice', 'secret', never);
    expect(refused).toMatchObject({ accepted: false, reason: 'wrong_password' });
    expect(asked).toEqual(['corp.alice']);
    expect(sent).toHaveLength(1);
    expect(sent).not.toContain('secret');
    expect(await directories.authenticate('alice', 'secret', async () => true)).toMatchObject({ accepted: true });
  });
});

describe('a list of directories', () => {
  const corp = open('corp', [user('alice'), user('bob')]).directory;
  const local = open('local', [user('carol'), user('alice', 'other')]).directory;

  it('asks the directories in their order; the first one that knows the login decides', async () => {
    const directories = list({ directory: corp }, { directory: local });
    expect(await directories.authenticate('Carol ', 'secret')).toEqual({
      accepted: true,
      account: {
        subject: 'local.carol',
        directory: 'local',
        realm: undefined,
        login: 'carol',
        claims: { name: 'carol' },
      },
    });
    expect(await directories.authenticate('alice', 'secret')).toMatchObject({ account: { subject: 'corp.alice' } });
    expect(await directories.authenticate('alice', 'other')).toMatchObject({
      accepted: false,
      reason: 'wrong_password',
      account: { subject: 'corp.alice' },
    });
    expect(await directories.authenticate('dave', 'secret')).toEqual({ accepted: false, reason: 'unknown_user' });
  });

  it('loads a user by the subject, whose prefix decides which directory is asked', async () => {
    const directories = list({ directory: corp }, { directory: local, subjectPrefix: '' });
    expect(await directories.load('corp.alice')).toMatchObject({ directory: 'corp', login: undefined });
    expect(await directories.load('alice')).toMatchObject({ directory: 'local', subject: 'alice' });
    expect(await directories.load('corp.')).toBeUndefined();
    expect(await directories.load('corp.nope')).toBeUndefined();
  });

  it('refuses a user whose id begins with the prefix of another directory', async () => {
    const impostor = open('impostor', [user('corp.alice')]).directory;
    const directories = list({ directory: corp }, { directory: impostor, subjectPrefix: '' });
    await expect(directories.authenticate('corp.alice', 'secret')).rejects.toMatchObject({ code: 'ambiguous' });
    await expect(directories.find('corp.alice')).rejects.toThrow(/give impostor a subjectPrefix/);
  });

  it('refuses impossible logins and passwords without asking', async () => {
    const { directory, calls } = open('corp', [user('alice')]);
    const directories = list({ directory });
    for (const password of ['', 'secret\0', 'x'.repeat(1025)])
      expect(await directories.authenticate('alice', password)).toEqual({ accepted: false, reason: 'wrong_password' });
    for (const login of ['', 'alice\0', 'a'.repeat(321)])
      expect(await directories.authenticate(login, 'secret')).toEqual({ accepted: false, reason: 'unknown_user' });
    expect(await directories.find('alice\0')).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('changes passwords where the directory can', async () => {
    const changing = override(local, { changePassword: async () => ({ changed: true }) });
    const directories = list({ directory: corp }, { directory: changing });
    expect(['corp.alice', 'local.carol', 'x.y'].map((subject) => directories.canChangePassword(subject))).toEqual([
      false,
      true,
      false,
    ]);
    expect(await directories.changePassword('local.carol', 'secret', 'new')).toEqual({ changed: true });
    expect(await directories.changePassword('local.carol', 'secret', '')).toMatchObject({ reason: 'weak_password' });
    expect(await directories.changePassword('local.nope', 'a', 'b')).toMatchObject({ reason: 'unknown_user' });
    await expect(directories.changePassword('corp.alice', 'a', 'b')).rejects.toMatchObject({ code: 'not_supported' });
  });
});

describe('realms', () => {
  const corp = open('corp', [user('alice')]).directory;
  const partner = open('partner', [user('alice@partner.example', 'other')]).directory;
  const local = open('local', [user('alice'), user('eve@gmail.example')]).directory;
  const directories = list(
    { directory: corp, realm: { suffixes: ['Corp.example', 'corp.test'], prefixes: ['CORP'] } },
    { directory: partner, realm: { suffixes: ['partner.example'], keep: true } },
    { directory: local },
  );

  it.each([
    ['alice@corp.example', 'secret', 'corp.alice'],
    ['ALICE@CORP.TEST', 'secret', 'corp.alice'],
    ['corp\\alice', 'secret', 'corp.alice'],
    ['alice@partner.example', 'other', 'partner.alice@partner.example'],
    ['alice', 'secret', 'local.alice'],
    ['eve@gmail.example', 'secret', 'local.eve@gmail.example'],
  ])('%s is a user of the realm that it names', async (login, password, subject) => {
    expect(await directories.authenticate(login, password)).toMatchObject({ accepted: true, account: { subject } });
  });

  it.each(['eve@corp.example', '@corp.example', 'corp\\', 'bob@partner.example', 'alice@elsewhere.example'])(
    '%s is no user, whatever other realms have',
    async (login) => {
      expect(await directories.authenticate(login, 'secret')).toEqual({ accepted: false, reason: 'unknown_user' });
    },
  );

  it('count the guesses for all spellings of a login together, and refuse white space beside the separator', async () => {
    const keys = ['alice@corp.example', ' ALICE@CORP.TEST', 'corp\\alice', 'alice'].map(directories.lookupKey);
    expect(keys).toEqual([...Array(3).fill('corp.example\\alice'), 'alice']);
    expect(directories.lookupKey('alice@partner.example')).toBe('partner.example\\alice@partner.example');
    for (const login of ['alice @corp.example', 'alice@\u00a0corp.example', 'corp\\ alice', 'corp \\alice'])
      expect(await directories.authenticate(login, 'secret')).toEqual({ accepted: false, reason: 'unknown_user' });
  });

  it('are named by the login alone', () => {
    const names = ['nobody@CORP.test', 'corp\\x', 'x@partner.example', 'x', 'x@elsewhere.example'];
    expect(names.map((login) => directories.realmOf(login))).toEqual([
      'corp.example',
      'corp.example',
      'partner.example',
      undefined,
      undefined,
    ]);
  });

  it('may be the default as well, and may have several directories', async () => {
    const both = list(
      { directory: corp, realm: { name: 'staff', suffixes: ['corp.example'] }, isDefault: true },
      { directory: partner, realm: { name: 'staff', suffixes: ['corp.example'] } },
    );
    expect(await both.find('alice')).toMatchObject({ directory: 'corp', realm: 'staff' });
    expect(await both.find('alice@corp.example')).toMatchObject({ directory: 'corp', realm: 'staff' });
    expect(await both.find('alice@partner.example')).toBeUndefined();
  });
});

describe('an outage', () => {
  const broken = open('broken', [user('alice')], failing).directory;
  const local = open('local', [user('alice'), user('carol')]).directory;
  const unavailable = { code: 'unavailable' };

  it('ends the lookup: a later directory may know another user by the same login', async () => {
    const directories = list({ directory: broken }, { directory: local });
    await expect(directories.authenticate('alice', 'secret')).rejects.toMatchObject(unavailable);
    await expect(directories.find('carol')).rejects.toMatchObject(unavailable);
    await expect(directories.load('broken.alice')).rejects.toMatchObject(unavailable);
  });

  it('an outage of a later directory does not affect the users of an earlier one', async () => {
    const directories = list({ directory: local }, { directory: broken });
    expect(await directories.authenticate('carol', 'secret')).toMatchObject({ accepted: true });
    expect(await directories.authenticate('carol', 'wrong')).toMatchObject({ reason: 'wrong_password' });
    await expect(directories.authenticate('nope', 'wrong')).rejects.toMatchObject(unavailable);
  });

  it('an outage of an optional directory is skipped', async () => {
    const directories = list({ directory: broken, optional: true }, { directory: local });
    expect(await directories.authenticate('carol', 'secret')).toMatchObject({ accepted: true });
    expect(await directories.authenticate('nope', 'wrong')).toEqual({ accepted: false, reason: 'unknown_user' });
  });

  it('two matches in an optional directory end the lookup like an outage', async () => {
    const find = async () => {
      throw new DirectoryError('ambiguous', 'broken', 'two users match');
    };
    const ambiguous = open('ambiguous', [user('alice')], { find }).directory;
    const directories = list({ directory: ambiguous, optional: true }, { directory: local });
    await expect(directories.authenticate('carol', 'secret')).rejects.toMatchObject({ code: 'ambiguous' });
  });

  it('an outage between the search and the check of the password is never a wrong password, even in an optional directory', async () => {
    const halfway = open('halfway', [user('alice')], { verify: outage }).directory;
    const directories = list({ directory: halfway, optional: true }, { directory: local });
    await expect(directories.authenticate('alice', 'secret')).rejects.toMatchObject(unavailable);
  });
});

describe('a refusal', () => {
  const states = [
    user('alice'),
    user('locked', 'secret', { state: 'locked' }),
    user('disabled', 'secret', { state: 'disabled' }),
  ];

  it.each([
    ['an unknown user', 'nope', 'secret'],
    ['a wrong password in the first directory', 'alice', 'wrong'],
    ['a wrong password in the second directory', 'bob', 'wrong'],
    ['a locked user', 'locked', 'secret'],
    ['a disabled user', 'disabled', 'secret'],
    ['a locked user’s wrong password', 'locked', 'wrong'],
  ])('of %s takes one search and one check in each directory', async (_who, login, password) => {
    const [first, second] = [open('first', states), open('second', [user('bob')])];
    const directories = list(first, second);
    expect(await directories.authenticate(login, password)).toMatchObject({ accepted: false });
    expect([first.calls.toSorted(), second.calls.toSorted()]).toEqual(Array(2).fill(['find', 'verify']));
  });

  it.each(['alice', 'nope'])('of %s searches as often when a user is cached', async (login) => {
    const { directory, calls } = open('corp', states);
    const directories = list({ directory, cache: { store: createMemoryCacheStore() } });
    await directories.find('alice');
    calls.length = 0;
    expect(await directories.authenticate(login, 'wrong')).toMatchObject({ accepted: false });
    expect(calls.toSorted()).toEqual(['find', 'verify']);
  });

  it('a refusal is reported without a password where the directory can tell', async () => {
    const directories = list(open('first', states));
    expect(await directories.load('first.disabled')).toMatchObject({ refusal: 'disabled' });
    expect(await directories.find('locked')).toMatchObject({ refusal: 'locked' });
    expect((await directories.load('first.alice'))?.refusal).toBeUndefined();
  });

  it('says why, for the audit log only', async () => {
    const directories = list(open('first', states));
    expect(await directories.authenticate('locked', 'secret')).toMatchObject({ reason: 'locked' });
    expect(await directories.authenticate('disabled', 'secret')).toMatchObject({ reason: 'disabled' });
    expect(await directories.authenticate('disabled', 'wrong')).toMatchObject({ reason: 'wrong_password' });
  });
});

describe('a directory that finds and checks with one request', () => {
  const signIn = open('web', [user('wendy')]).directory;
  const web = override(signIn, {
    authenticate: async (login, password) => {
      const found = await signIn.find(login);
      return found && (await signIn.verify(found, password)).accepted ? found : undefined;
    },
  });
  const local = open('local', [user('carol')]).directory;

  it('the directory is asked once, and leaves users that it refuses to later directories', async () => {
    const directories = list({ directory: web }, { directory: local });
    expect(await directories.authenticate('wendy', 'secret')).toMatchObject({ account: { subject: 'web.wendy' } });
    expect(await directories.authenticate('carol', 'secret')).toMatchObject({ account: { subject: 'local.carol' } });
    expect(await directories.authenticate('wendy', 'wrong')).toEqual({ accepted: false, reason: 'unknown_user' });
  });
});

describe('the list is checked at the start', () => {
  const [a, b] = [open('a', [user('x')]).directory, open('b', [user('x')]).directory];

  it.each<[string, DirectoryEntry[], RegExp]>([
    ['one name twice', [{ directory: a }, { directory: a, subjectPrefix: 'x.' }], /two directories have the name a/],
    ['one subject prefix twice', [{ directory: a }, { directory: b, subjectPrefix: 'a.' }], /a and b have the same/],
    [
      'two directories without prefix',
      [
        { directory: a, subjectPrefix: '' },
        { directory: b, subjectPrefix: '' },
      ],
      /at most one of them ''/,
    ],
    ['a prefix within another', [{ directory: a }, { directory: b, subjectPrefix: 'a.b.' }], /begins with the other/],
    ['an empty realm', [{ directory: a, realm: {} }], /neither suffixes nor prefixes/],
    ['a realm with its sign', [{ directory: a, realm: { suffixes: ['@corp'] } }], /write it without @/],
    [
      'one suffix with two names of realms',
      [
        { directory: a, realm: { name: 'x', suffixes: ['corp'] } },
        { directory: b, realm: { name: 'y', suffixes: ['CORP'] } },
      ],
      /share @corp: give both the same realm name/,
    ],
  ])('%s is refused', (_what, entries, message) => {
    expect(() => createDirectories(entries)).toThrow(message);
  });
});

describe('checks and closing', () => {
  it('reach every directory', async () => {
    const closed: string[] = [];
    const [a, b] = ['a', 'b'].map((name) =>
      override(open(name, [user('x')]).directory, {
        close: async () => {
          closed.push(name);
          if (name === 'a') throw new Error('a does not close');
        },
      }),
    ) as [Directory, Directory];
    const directories = list({ directory: a }, { directory: b });
    expect((await directories.check()).map(({ directory, steps }) => [directory, steps[0]?.ok])).toEqual([
      ['a', true],
      ['b', true],
    ]);
    await expect(directories.close()).rejects.toThrow('a does not close');
    expect(closed).toEqual(['a', 'b']);
  });
});
