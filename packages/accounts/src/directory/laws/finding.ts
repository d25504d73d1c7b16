import { assertSame } from '@carnet/adapter-contract/kit';
import { assertAbsent, assertAccepted, findKnown } from './assert.ts';
import type { Law } from './law.ts';
import { alice, bob, userNamed } from './users.ts';

/** Logins that are a pattern, code or a DN for a directory that builds its queries from text. */
const hostile: readonly string[] = [
  '*',
  'ali*',
  '*)(uid=*',
  'alice)(|(uid=*',
  '*))(|(uid=*',
  'alice\\',
  '\\2a',
  'uid=alice,ou=people,dc=example,dc=org',
  'cn=alice',
  '%',
  'ali%',
  'alic_',
  "' or '1'='1",
  "alice'--",
  'alice" --',
  'alice\0',
  '\0',
  'alice\0bob',
  'alice\n',
  '',
  ' ',
  '__proto__',
  'constructor',
  'tostring',
  'a'.repeat(10_240),
];

/** Logins that look like `alice`: Cyrillic, Greek, dotless i, accents, zero width, soft hyphen. */
const lookAlikes = ['аlice', 'αlice', 'alıce', 'alicé', 'älice', 'ali\u200bce', 'ali\u00adce', 'alice\ufe0f', 'a1ice'];

/** Logins with characters that have a meaning in filters, in SQL or in URLs. */
const special = [
  "o'brien",
  'star*',
  'paren(x)',
  'per%cent',
  'under_score',
  'back\\slash',
  'with space',
  'zoë',
  '渡辺',
  'a&b?c=d#e',
];

export const findingLaws: readonly Law[] = [
  {
    name: 'find-knows-users-by-login',
    says: 'A login finds its user with name and email.',
    async check({ open }) {
      const directory = await open([alice, bob]);
      for (const user of [alice, bob]) {
        const { name, email } = (await findKnown(directory, user.login)).claims;
        assertSame({ name, email }, { name: user.name, email: user.email }, `the claims of ${user.login}`);
      }
    },
  },
  {
    name: 'find-knows-no-other-login',
    says: 'An unknown login finds no user, before and after other logins were found.',
    async check({ open }) {
      const directory = await open([alice, bob]);
      assertAbsent(await directory.find('carol'), 'an unknown login');
      await findKnown(directory, alice.login);
      for (const login of ['carol', 'alic', 'alicea', alice.name.toLowerCase()])
        assertAbsent(await directory.find(login), `find(${JSON.stringify(login)})`);
    },
  },
  {
    name: 'find-takes-logins-literally',
    says: 'Patterns, code, DNs, NUL, very long texts and look-alikes find no user.',
    async check({ open }) {
      const directory = await open([alice, bob]);
      for (const login of [...hostile, ...lookAlikes])
        assertAbsent(await directory.find(login), `find(${JSON.stringify(login.slice(0, 60))})`);
    },
  },
  {
    name: 'find-knows-special-characters',
    says: 'A login with special characters finds its own user, who signs in.',
    async check({ open }) {
      const users = special.map((login) => userNamed(login));
      const directory = await open([alice, ...users]);
      for (const { login, name, password } of users) {
        const found = await findKnown(directory, login);
        assertSame(found.claims.name, name, `the name of ${login}`);
        assertAccepted(await directory.verify(found, password), `the password of ${login}`);
      }
      for (const login of ['underxscore', 'per00cent', 'starfish'])
        assertAbsent(await directory.find(login), `find(${login})`);
    },
  },
  {
    name: 'ids-are-no-names',
    says: 'The id of a user is neither a login, an email address nor a DN.',
    async check({ open }) {
      const directory = await open([alice]);
      const { id } = await findKnown(directory, alice.login);
      const isName = id === '' || id.toLowerCase() === alice.login || /[@=]/.test(id);
      assertSame(isName, false, `whether the id ${JSON.stringify(id)} is a name`);
    },
  },
  {
    name: 'ids-identify-users',
    says: 'A user has the same id each time, and two users have different ids.',
    async check({ open }) {
      const directory = await open([alice, bob]);
      const first = await findKnown(directory, alice.login);
      const other = await findKnown(directory, bob.login);
      assertSame((await findKnown(directory, alice.login)).id, first.id, 'the id of a user found again');
      assertSame((await directory.load(first.id))?.id, first.id, 'the id of the loaded user');
      assertSame(first.id === other.id, false, 'whether two users have one id');
    },
  },
  {
    name: 'load-knows-users-by-id-only',
    says: 'An id loads its user with claims; a login, a pattern or an unknown id loads none.',
    async check({ open }) {
      const directory = await open([alice, bob]);
      const { id } = await findKnown(directory, alice.login);
      assertSame((await directory.load(id))?.claims.name, alice.name, 'the name of the loaded user');
      const others = [alice.login, alice.email, '*', '%', '', '\0', `${id}\0`, '__proto__', `${id})(|(uid=*`];
      for (const other of others) assertAbsent(await directory.load(other), `load(${JSON.stringify(other)})`);
    },
  },
  {
    name: 'load-reports-disabled-users',
    says: 'A disabled user is absent from load or has a refusal there; an active user has none.',
    async check({ open }) {
      const directory = await open([alice, { ...bob, state: 'disabled' }]);
      const active = await directory.load((await findKnown(directory, alice.login)).id);
      assertSame([active?.claims.name, active?.refusal], [alice.name, undefined], 'an active user');
      const disabled = await directory.find(bob.login);
      const loaded = disabled && (await directory.load(disabled.id));
      assertSame(loaded === undefined || loaded.refusal !== undefined, true, 'whether load reports a disabled user');
    },
  },
  {
    name: 'parallel-callers-get-their-own-users',
    says: 'Fifty logins at once, on a directory that was just opened, find their own users.',
    async check({ open }) {
      const users = Array.from({ length: 50 }, (_, index) => userNamed(`user${index}`, { password: 'Correct horse' }));
      const directory = await open(users);
      const found = await Promise.all(users.map(({ login }) => directory.find(login)));
      assertSame(
        found.map((user) => user?.claims.name),
        users.map(({ name }) => name),
        'the names of fifty users',
      );
    },
  },
];
