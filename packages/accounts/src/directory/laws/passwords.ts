import { assertSame } from '@carnet/adapter-contract/kit';
import type { Directory } from '../port.ts';
import { assertAccepted, assertRefused, findKnown } from './assert.ts';
import type { Law } from './law.ts';
import { alice, bob, userNamed } from './users.ts';

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const millisecondsOf = async (operation: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await operation();
  return performance.now() - begun;
};

/** Medians of alternating runs, so that both share the noise of the machine. */
const compareDurations = async (directory: Directory) => {
  const user = await findKnown(directory, alice.login);
  const durations = { wrong: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < 9; round++) {
    durations.wrong.push(await millisecondsOf(() => directory.verify(user, `wrong ${round}`)));
    durations.unknown.push(await millisecondsOf(() => directory.verifyUnknown(`wrong ${round}`, 'carol')));
  }
  return { wrong: median(durations.wrong), unknown: median(durations.unknown) };
};

export const passwordLaws: readonly Law[] = [
  {
    name: 'verify-accepts-the-password',
    says: 'The password of the user is accepted, whatever characters it has, and again the next time.',
    async check({ open }) {
      const zoe = userNamed('zoe', { password: 'Pässwörd 渡辺 👩‍👩‍👧 "\'\\ %s*()' });
      const directory = await open([alice, zoe]);
      for (const { login, password } of [alice, zoe, alice])
        assertAccepted(await directory.verify(await findKnown(directory, login), password), `the password of ${login}`);
    },
  },
  {
    name: 'verify-refuses-every-other-password',
    says: "Another user's password, and every variation of the right one, is wrong_password.",
    async check({ open }) {
      const directory = await open([alice, bob]);
      const user = await findKnown(directory, alice.login);
      const { password } = alice;
      const others = [
        bob.password,
        password.slice(0, -1),
        `${password} `,
        ` ${password}`,
        password.toUpperCase(),
        '*',
        'x',
      ];
      for (const other of others)
        assertSame(
          await directory.verify(user, other),
          { accepted: false, reason: 'wrong_password' },
          `verify with ${JSON.stringify(other)}`,
        );
    },
  },
  {
    name: 'verify-refuses-empty-passwords',
    says: 'An empty password and a password with NUL are refused without an error.',
    async check({ open }) {
      const directory = await open([alice]);
      const user = await findKnown(directory, alice.login);
      for (const password of ['', '\0', `${alice.password}\0`, `${alice.password}\0x`])
        assertRefused(await directory.verify(user, password), `verify with ${JSON.stringify(password)}`);
    },
  },
  {
    name: 'verify-reads-the-whole-password',
    says: 'A password of 100 characters is accepted, and one that differs at the end is refused.',
    async check({ open }) {
      const long = userNamed('long', { password: `${'correct horse '.repeat(7)}1.` });
      const directory = await open([long]);
      const user = await findKnown(directory, long.login);
      assertAccepted(await directory.verify(user, long.password), 'a password of 100 characters');
      for (const other of [`${long.password.slice(0, 99)}!`, long.password.slice(0, 72), long.password.slice(0, 99)])
        assertRefused(await directory.verify(user, other), 'a password that differs at the end');
    },
  },
  {
    name: 'verify-refuses-locked-and-disabled-users',
    says: 'The right password of a locked or disabled user is refused; other users are not affected.',
    async check({ open }) {
      const locked = userNamed('locked', { state: 'locked' });
      const disabled = userNamed('disabled', { state: 'disabled' });
      const directory = await open([alice, locked, disabled]);
      for (const { login, password } of [locked, disabled]) {
        const user = await directory.find(login);
        if (user !== undefined) assertRefused(await directory.verify(user, password), `the password of ${login}`);
      }
      assertAccepted(await directory.verify(await findKnown(directory, alice.login), alice.password), 'another user');
    },
  },
  {
    name: 'verify-refuses-deleted-users',
    says: 'A user who was deleted after the search is refused.',
    async check({ open }) {
      const directory = await open([alice, bob]);
      const user = await findKnown(directory, alice.login);
      assertAccepted(await directory.verify(user, alice.password), 'the password before the deletion');
      await open([bob]);
      assertRefused(await directory.verify(user, alice.password), 'the password of a deleted user');
    },
  },
  {
    name: 'refusals-take-the-same-time',
    says: 'An unknown user is refused in the time that a wrong password takes, within 5 ms or 50 %.',
    async check({ open }) {
      const directory = await open([alice]);
      // A busy machine may spoil one measurement. A directory that reveals its users fails all of them.
      for (let attempt = 1; ; attempt++) {
        const { wrong, unknown } = await compareDurations(directory);
        if (Math.abs(wrong - unknown) <= Math.max(5, Math.max(wrong, unknown) / 2)) return;
        if (attempt === 3)
          throw new Error(`a wrong password takes ${wrong.toFixed(1)} ms, an unknown user ${unknown.toFixed(1)} ms`);
      }
    },
  },
];
