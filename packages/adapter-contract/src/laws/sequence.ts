import { isDeepStrictEqual } from 'node:util';
import { assertSame } from '../kit/law.ts';
import type { Conflict, FoundRecord, StorageAdapter, StoredRecord, Write } from '../port.ts';
import { lawsOf } from './law.ts';
import {
  claim,
  commit,
  consume,
  freshGrant,
  freshRecord,
  inMilliseconds,
  keyOf,
  merge,
  put,
  readOne,
  remove,
  replace,
  revoke,
} from './records.ts';

/** The net effect of a sequence of writes to one record in one commit, if the record was absent before. */
const sequences: Readonly<Record<string, (record: StoredRecord) => { writes: Write[]; outcome: string }>> = {
  'put, consume': (r) => ({ writes: [put(r), consume(r)], outcome: 'used' }),
  'put, merge, merge': (r) => ({ writes: [put(r), merge(r, 'a'), merge(r, 'b')], outcome: 'live a b' }),
  'claim, merge, consume': (r) => ({ writes: [claim(r), merge(r, 'a'), consume(r)], outcome: 'used a' }),
  'put, merge, consume, put': (r) => ({ writes: [put(r), merge(r, 'a'), consume(r), put(r)], outcome: 'live' }),
  'put, put onlyIfPresent': (r) => ({ writes: [put(r), replace(r)], outcome: 'live' }),
  'put, remove, claim': (r) => ({ writes: [put(r), remove(r), claim(r)], outcome: 'live' }),
  'claim, consume, remove, claim': (r) => ({ writes: [claim(r), consume(r), remove(r), claim(r)], outcome: 'live' }),
  'put, remove': (r) => ({ writes: [put(r), remove(r)], outcome: 'none' }),
  'put, remove, consume': (r) => ({ writes: [put(r), remove(r), consume(r)], outcome: 'absent' }),
  'put, claim': (r) => ({ writes: [put(r), claim(r)], outcome: 'exists' }),
  'claim, claim': (r) => ({ writes: [claim(r), claim(r)], outcome: 'exists' }),
  'put, consume, consume': (r) => ({ writes: [put(r), consume(r), consume(r)], outcome: 'consumed' }),
  'put, consume, merge': (r) => ({ writes: [put(r), consume(r), merge(r, 'a')], outcome: 'consumed' }),
};

/** The same, for a record of a grant. */
const sequencesOfGrants: typeof sequences = {
  'put, revoke, put onlyIfPresent': (r) => ({
    writes: [put(r), revoke(r.grantId ?? ''), replace(r)],
    outcome: 'absent',
  }),
  'claim, revoke, claim, consume': (r) => ({
    writes: [claim(r), revoke(r.grantId ?? ''), claim(r), consume(r)],
    outcome: 'used',
  }),
};

const describe = (found: FoundRecord | undefined): string =>
  found ? [found.consumedAt ? 'used' : 'live', ...[...found.members].sort()].join(' ') : 'none';

const checkSequences = async (store: StorageAdapter, table: typeof sequences, fresh: () => StoredRecord) => {
  for (const [name, sequence] of Object.entries(table)) {
    const record = fresh();
    const { writes, outcome } = sequence(record);
    const conflict = await store.commit(writes);
    const left = describe(await readOne(store, record));
    assertSame(conflict?.reason ?? left, outcome, `what [${name}] comes to`);
    if (conflict) assertSame(left, 'none', `what is left after the conflict of [${name}]`);
  }
};

const instant = inMilliseconds(7_200_000);

/** The writes to a record. `step` distinguishes the writes of a sequence. */
const steps: Readonly<Record<string, (record: StoredRecord, step: string) => Write>> = {
  put: (record, step) => put({ ...record, payload: step, subject: step }),
  'put onlyIfPresent': (record, step) => replace({ ...record, payload: step, expiresAt: null }),
  remove: (record) => remove(record),
  claim: (record, step) => claim({ ...record, payload: step, clientId: step }),
  consume: (record) => consume(record, instant),
  merge: (record, step) => merge(record, step),
  'merge expiresAt': (record) => ({ type: 'merge', key: keyOf(record), members: [], expiresAt: instant }),
  'merge into the past': (record) => ({ type: 'merge', key: keyOf(record), members: [], expiresAt: new Date(0) }),
  revoke: ({ grantId = '' }) => revoke(grantId),
};

/** Where a sequence may start from, each the end of one. */
const states: Readonly<Record<string, readonly ((record: StoredRecord) => Write)[]>> = {
  none: [],
  live: [put, (record) => merge(record, 'old')],
  used: [put, (record) => merge(record, 'old'), (record) => consume(record, new Date(1))],
  expired: [put, (record) => ({ type: 'merge', key: keyOf(record), members: ['old'], expiresAt: new Date(0) })],
};

/** The parts of a record that do not depend on its ids. */
const contentsOf = (found: FoundRecord | undefined) => {
  if (found === undefined) return undefined;
  const { payload, expiresAt, consumedAt, members, subject, clientId } = found;
  return { payload, expiresAt, consumedAt, members: [...members].sort(), subject, clientId };
};

const readContents = async (store: StorageAdapter, record: StoredRecord) => contentsOf(await readOne(store, record));

const indexIn = (writes: readonly Write[], conflict: Conflict | undefined): number =>
  writes.findIndex((write) => isDeepStrictEqual(write, conflict?.write));

const commitTogether = async (store: StorageAdapter, record: StoredRecord, writes: readonly Write[]) => {
  const conflict = await store.commit(writes);
  const contents = await readContents(store, record);
  return { failed: indexIn(writes, conflict), reason: conflict?.reason, contents };
};

/** A commit for each; at the first conflict all of them are thought away. */
const commitEach = async (store: StorageAdapter, record: StoredRecord, writes: readonly Write[]) => {
  const before = await readContents(store, record);
  for (const write of writes) {
    const conflict = await store.commit([write]);
    if (conflict) return { failed: indexIn(writes, conflict), reason: conflict.reason, contents: before };
  }
  return { failed: -1, reason: undefined, contents: await readContents(store, record) };
};

const checkPair = async (store: StorageAdapter, start: string, pair: readonly string[]) => {
  const prepare = async () => {
    const record = freshGrant().record({ kind: 'session', expiresAt: new Date(instant.getTime() - 1) });
    for (const change of states[start] ?? []) await commit(store, change(record));
    return { record, writes: pair.flatMap((name, index) => steps[name]?.(record, `"${index}"`) ?? []) };
  };
  const [one, many] = [await prepare(), await prepare()];
  const together = await commitTogether(store, one.record, one.writes);
  const expected = await commitEach(store, many.record, many.writes);
  assertSame(together, expected, `what [${pair.join(', ')}] in one commit comes to, where the record was ${start}`);
};

export const sequenceLaws = lawsOf({
  'writes-see-earlier-ones': {
    says: 'A write sees the writes before it in the same commit.',
    async check({ store }) {
      await checkSequences(store, sequences, () => freshRecord());
      await checkSequences(store, { ...sequences, ...sequencesOfGrants }, () => freshGrant().record());
    },
  },
  'two-writes-come-to-what-two-commits-do': {
    says: 'Any two writes to a record in one commit come to the same as a commit each, wherever the record stood.',
    async check({ store }) {
      const names = Object.keys(steps);
      for (const start of Object.keys(states))
        for (const first of names) await Promise.all(names.map((second) => checkPair(store, start, [first, second])));
    },
  },
});
