import { randomUUID } from 'node:crypto';
import { assertSame } from '@carnet/adapter-contract/kit';
import type { FactorStore } from '../store.ts';
import { countTrue, fiftyTimes } from './assert.ts';
import type { Law } from './law.ts';
import { freshFactor, freshSubject, onlyFactor } from './records.ts';

const inAMinute = (): number => Date.now() + 60_000;

/** `update` and `claim`: a code is accepted once because of these laws. */
export const onceLaws: readonly Law<FactorStore>[] = [
  {
    name: 'update-replaces-the-version-before',
    says: 'An update of the version before replaces every changeable member and is visible in every process.',
    async check({ store, other }) {
      const factor = freshFactor({ kind: 'passkey', confirmedAt: undefined });
      await store.add(factor);
      const { confirmedAt, lastUsedAt } = { confirmedAt: 1_790_000_001_000, lastUsedAt: 1_790_000_002_000 };
      const next = { ...factor, label: 'b', payload: '{"b":1}', counter: 9, confirmedAt, lastUsedAt, version: 2 };
      assertSame(await store.update(next), true, 'the answer to the update');
      assertSame(await onlyFactor(other, factor.subject), next, 'the listed factor');
      assertSame(await other.findPasskey(factor.id), next, 'the passkey');
    },
  },
  {
    name: 'update-refuses-another-version',
    says: 'An update of any other version is refused and changes nothing.',
    async check({ store }) {
      const factor = freshFactor({ version: 5 });
      await store.add(factor);
      for (const version of [1, 5, 7]) {
        const answer = await store.update({ ...factor, counter: 1, version });
        assertSame(answer, false, `updating version 5 to version ${version}`);
      }
      assertSame(await onlyFactor(store, factor.subject), factor, 'the factor afterwards');
    },
  },
  {
    name: 'update-adds-nothing',
    says: 'An update of a factor that does not exist is refused and adds none.',
    async check({ store }) {
      const factor = freshFactor();
      assertSame(await store.update(factor), false, 'updating an unknown factor');
      assertSame(await store.list(factor.subject), [], 'the factors afterwards');
    },
  },
  {
    name: 'update-keeps-the-owner',
    says: 'An update with another subject is refused, so that no factor moves to another user.',
    async check({ store }) {
      const factor = freshFactor();
      await store.add(factor);
      const moved = { ...factor, subject: freshSubject(), version: 2 };
      assertSame(await store.update(moved), false, 'updating the factor of another subject');
      assertSame(await onlyFactor(store, factor.subject), factor, 'the factor afterwards');
    },
  },
  {
    name: 'one-of-fifty-updates-wins',
    says: 'Of fifty parallel updates to a version, over two connections, exactly one succeeds and is stored.',
    async check(subject) {
      const factor = freshFactor();
      await subject.store.add(factor);
      const answers = await fiftyTimes(subject, (store, index) =>
        store.update({ ...factor, counter: factor.counter + index + 1, version: 2 }),
      );
      assertSame(countTrue(answers), 1, 'the number of updates that succeeded');
      const counter = factor.counter + answers.indexOf(true) + 1;
      assertSame(
        await onlyFactor(subject.other, factor.subject),
        { ...factor, counter, version: 2 },
        'the stored factor',
      );
    },
  },
  {
    name: 'claim-takes-an-id-once',
    says: 'An id can be claimed once, in all processes; other ids are not affected.',
    async check({ store, other }) {
      const [id, second] = [randomUUID(), randomUUID()];
      assertSame(await store.claim(id, inAMinute()), true, 'the first claim');
      assertSame(await other.claim(id, inAMinute()), false, 'the second claim, in another process');
      assertSame(await store.claim(id, inAMinute()), false, 'the third claim');
      assertSame(await store.claim(second, inAMinute()), true, 'a claim of another id');
    },
  },
  {
    name: 'one-of-fifty-claims-wins',
    says: 'Of fifty parallel claims of an id, over two connections, exactly one succeeds.',
    async check(subject) {
      const id = randomUUID();
      const answers = await fiftyTimes(subject, (store) => store.claim(id, inAMinute()));
      assertSame(countTrue(answers), 1, 'the number of claims that succeeded');
    },
  },
];
