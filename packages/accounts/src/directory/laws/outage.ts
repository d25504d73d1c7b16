import { setTimeout as sleep } from 'node:timers/promises';
import { assertSame, deadlineIn, within } from '@carnet/adapter-contract/kit';
import type { Directory } from '../port.ts';
import { assertAccepted, assertUnavailable, findKnown } from './assert.ts';
import type { DirectoryFixture, Law } from './law.ts';
import { alice, bob } from './users.ts';

/** The longest time that an operation may take during an outage. */
const patienceSeconds = 15;

/** Rejects if a directory does not answer: that breaks the law, too. */
const inTime = <Value>(operation: Promise<Value>): Promise<Value> =>
  within(deadlineIn(patienceSeconds * 1000), operation);

const during = async (fixture: DirectoryFixture, work: () => Promise<void>): Promise<void> => {
  await fixture.stop();
  try {
    await work();
  } finally {
    await fixture.start();
  }
};

/** Repeats the operation until it succeeds, for 15 seconds. */
const eventually = async <Value>(operation: () => Promise<Value>): Promise<Value> => {
  const deadline = performance.now() + patienceSeconds * 1000;
  for (;;)
    try {
      return await inTime(operation());
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(100);
    }
};

const isHealthy = async (directory: Directory): Promise<boolean> => {
  const steps = await inTime(directory.check());
  return steps.length > 0 && steps.every(({ ok }) => ok);
};

export const outageLaws: readonly Law[] = [
  {
    name: 'outage-is-no-unknown-user',
    says: 'During an outage find and load are unavailable, for known and unknown users.',
    async check(fixture) {
      const directory = await fixture.open([alice]);
      const { id } = await findKnown(directory, alice.login);
      await during(fixture, async () => {
        for (const login of [alice.login, 'carol'])
          await assertUnavailable(inTime(directory.find(login)), `find(${login})`);
        await assertUnavailable(inTime(directory.load(id)), 'load');
      });
    },
  },
  {
    name: 'outage-is-no-wrong-password',
    says: 'During an outage verify is unavailable, and its error holds no password.',
    async check(fixture) {
      const directory = await fixture.open([alice]);
      const user = await findKnown(directory, alice.login);
      await during(fixture, async () => {
        for (const password of [alice.password, 'a wrong password']) {
          const verdict = inTime(directory.verify(user, password));
          const { message } = await assertUnavailable(verdict, 'verify');
          assertSame(message.includes(password), false, 'whether the error contains the password');
        }
      });
    },
  },
  {
    name: 'outage-ends-without-a-restart',
    says: 'After an outage the open directory answers again, within 15 seconds.',
    async check(fixture) {
      const directory = await fixture.open([alice, bob]);
      await findKnown(directory, alice.login);
      await during(fixture, async () => {
        await assertUnavailable(inTime(directory.find(alice.login)), 'find');
      });
      const user = await eventually(() => findKnown(directory, bob.login));
      const verdict = await eventually(() => directory.verify(user, bob.password));
      assertAccepted(verdict, 'the password after an outage');
    },
  },
  {
    name: 'check-reports-an-outage',
    says: 'Every step of check succeeds on a healthy directory; during an outage one fails, and check does not throw.',
    async check(fixture) {
      const directory = await fixture.open([alice]);
      assertSame(await isHealthy(directory), true, 'the health of a healthy directory');
      await during(fixture, async () => {
        assertSame(await isHealthy(directory), false, 'the health during an outage');
      });
      await eventually(async () => assertSame(await isHealthy(directory), true, 'the health after an outage'));
    },
  },
];
