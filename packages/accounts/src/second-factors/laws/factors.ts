import { assertSame } from '@carnet/adapter-contract/kit';
import type { FactorStore } from '../store.ts';
import { countTrue, fiftyTimes } from './assert.ts';
import type { Law } from './law.ts';
import { freshFactor, freshSubject, onlyFactor } from './records.ts';

/** Adding, reading and removing factors. */
export const factorLaws: readonly Law<FactorStore>[] = [
  {
    name: 'added-factor-is-read-whole',
    says: 'A factor that was added is listed with every member as it was given.',
    async check({ store }) {
      const full = freshFactor({ lastUsedAt: 1_790_000_000_456, counter: 2 ** 40 });
      assertSame(await store.add(full), true, 'the answer to add');
      assertSame(await onlyFactor(store, full.subject), full, 'the listed factor');
      const bare = freshFactor({ confirmedAt: undefined, counter: 0, label: '' });
      await store.add(bare);
      assertSame(await onlyFactor(store, bare.subject), bare, 'the listed factor without optional members');
    },
  },
  {
    name: 'add-refuses-an-existing-id',
    says: 'Adding an id that exists is refused and changes nothing.',
    async check({ store }) {
      const factor = freshFactor();
      await store.add(factor);
      assertSame(await store.add({ ...factor, label: 'second' }), false, 'adding the id again');
      const foreign = { ...factor, subject: freshSubject() };
      assertSame(await store.add(foreign), false, 'adding the id for another subject');
      assertSame(await onlyFactor(store, factor.subject), factor, 'the factor that was added first');
      assertSame(await store.list(foreign.subject), [], 'the factors of the other subject');
    },
  },
  {
    name: 'one-of-fifty-adds-wins',
    says: 'Of fifty parallel adds of an id, over two connections, exactly one succeeds.',
    async check(subject) {
      const factor = freshFactor();
      const answers = await fiftyTimes(subject, (store) => store.add(factor));
      assertSame(countTrue(answers), 1, 'the number of adds that succeeded');
    },
  },
  {
    name: 'list-is-of-one-subject',
    says: 'A list holds every factor of its subject, and none of other subjects.',
    async check({ store }) {
      const [mine, second] = [freshFactor(), freshFactor()];
      const own = { ...second, subject: mine.subject };
      const similar = freshFactor({ subject: `${mine.subject}x` });
      for (const factor of [mine, own, similar]) await store.add(factor);
      const ids = (await store.list(mine.subject)).map(({ id }) => id).sort();
      assertSame(ids, [mine.id, own.id].sort(), 'the listed ids');
    },
  },
  {
    name: 'passkey-is-found-by-its-id',
    says: 'A passkey is found by its credential id, and a factor of another kind is not.',
    async check({ store }) {
      const [passkey, totp] = [freshFactor({ kind: 'passkey' }), freshFactor()];
      await store.add(passkey);
      await store.add(totp);
      assertSame(await store.findPasskey(passkey.id), passkey, 'the passkey');
      assertSame(await store.findPasskey(totp.id), undefined, 'a TOTP factor asked for as a passkey');
      assertSame(await store.findPasskey(`${passkey.id}x`), undefined, 'an unknown passkey');
    },
  },
  {
    name: 'removed-factor-is-gone',
    says: 'A removed factor is gone in every process; removing it again reports that it did not exist.',
    async check({ store, other }) {
      const factor = freshFactor({ kind: 'passkey' });
      await store.add(factor);
      assertSame(await store.remove(factor.subject, factor.id), true, 'removing a factor');
      assertSame(await other.list(factor.subject), [], 'the list after the removal');
      assertSame(await other.findPasskey(factor.id), undefined, 'the passkey after the removal');
      assertSame(await other.remove(factor.subject, factor.id), false, 'removing it again');
    },
  },
  {
    name: 'remove-needs-the-owner',
    says: 'A factor is removed for its own subject only.',
    async check({ store }) {
      const factor = freshFactor();
      await store.add(factor);
      assertSame(await store.remove(freshSubject(), factor.id), false, 'removing the factor of another subject');
      assertSame(await onlyFactor(store, factor.subject), factor, 'the factor afterwards');
    },
  },
  {
    name: 'remove-all-counts-and-spares-others',
    says: 'Removing all factors of a subject returns their number and does not affect other subjects.',
    async check({ store, other }) {
      const [first, second, foreign] = [freshFactor(), freshFactor(), freshFactor()];
      for (const factor of [first, { ...second, subject: first.subject }, foreign]) await store.add(factor);
      assertSame(await store.removeAll(first.subject), 2, 'the number of removed factors');
      assertSame(await other.list(first.subject), [], 'the list afterwards');
      assertSame(await store.removeAll(first.subject), 0, 'the number of factors removed afterwards');
      assertSame(await other.list(foreign.subject), [foreign], 'the factors of another subject');
    },
  },
];
