import { assertSame } from '../kit/law.ts';
import { kinds, listedBySubject, type StorageAdapter } from '../port.ts';
import { assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import { idsOf, type Scope } from './pages.ts';
import {
  claim,
  commit,
  freshGrant,
  freshId,
  freshRecord,
  inMilliseconds,
  keyOf,
  put,
  putEach,
  reach,
  remove,
  replace,
  revoke,
} from './records.ts';

type SubjectScope = Extract<Scope, { subject: string }>;

/** Subjects that are one and the same to a store that folds, trims, cuts, matches or splits them. */
const similarSubjects = (base: string): readonly string[] => [
  base,
  ...[
    ':',
    '%',
    '_',
    '*',
    ' ',
    '\n',
    '\\',
    "'",
    '"',
    '{}',
    '}{',
    'ü',
    'u\u0308',
    'ü渡辺👩‍👩‍👧',
    ':grant',
    '\u{1f600}',
  ].map((end) => `${base}${end}`),
  base.slice(0, -1),
  ` ${base}`,
  `{${base}}`,
  base.toUpperCase(),
  base.toLowerCase(),
  `${base}${'x'.repeat(300)}`,
  `${base}${'x'.repeat(299)}y`,
];

/** The list holds these and no others, on one page that is the last. */
const assertListed = async (
  store: StorageAdapter,
  scope: SubjectScope,
  expected: readonly { readonly id: string }[],
  what: string,
): Promise<void> => {
  const { records, next } = await store.list({ ...scope, limit: Math.max(1, expected.length) });
  assertSame([idsOf(records), next], [idsOf(expected), undefined], `the ids listed and next ${what}`);
};

export const listScopeLaws = lawsOf({
  'list-is-of-one-subject': {
    says: 'A subject is matched whole, character for character, and by the field of that name alone.',
    async check({ store }) {
      for (const kind of listedBySubject) {
        const base = `aB${freshId().slice(2)}`;
        const subjects = similarSubjects(base);
        const records = subjects.map((subject) => freshRecord({ kind, subject }));
        const others = [{ clientId: base }, { id: base }, { grantId: base }, { payload: JSON.stringify(base) }];
        await putEach(store, [...records, ...others.map((fields) => freshRecord({ kind, ...fields }))]);
        for (const [index, subject] of subjects.entries()) {
          const expected = records.slice(index, index + 1);
          await assertListed(store, { kind, subject }, expected, `for the subject ${JSON.stringify(subject)}`);
        }
      }
    },
  },
  'list-is-of-one-kind': {
    says: 'What a subject has of one kind is not in its list of another, though the ids be the same.',
    async check({ store }) {
      const subject = freshId();
      const shared = kinds.map((kind) => freshRecord({ kind, subject, id: subject }));
      const own = kinds.map((kind) => freshRecord({ kind, subject }));
      await putEach(store, [...shared, ...own]);
      await commit(store, remove({ kind: 'client', id: subject }));
      for (const kind of listedBySubject) {
        const expected = [...shared, ...own].filter((record) => record.kind === kind);
        await assertListed(store, { kind, subject }, expected, `of the kind ${kind}`);
        const { records } = await store.list({ kind, subject, limit: 10 });
        assertSame([...new Set(records.map((record) => record.kind))], [kind], `the kinds listed for ${kind}`);
      }
    },
  },
  'list-follows-every-change': {
    says: 'A put under another subject moves a record to its list, one under none takes it out, as does its end.',
    async check({ store }) {
      for (const kind of listedBySubject) {
        const [from, to] = [
          { kind, subject: freshId() },
          { kind, subject: freshId() },
        ];
        const { grantId, record } = freshGrant();
        const [staying, moved, replaced] = [record(from), record(from), record(from)];
        const [bare, removed, over] = [record(from), record(from), record(from)];
        await putEach(store, [staying, moved, replaced, bare, removed, over]);
        await commit(store, put({ ...moved, subject: to.subject }));
        await commit(store, replace({ ...replaced, subject: to.subject }));
        await commit(store, put(record({ kind, id: bare.id })));
        await commit(store, remove(removed));
        await commit(store, { type: 'merge', key: keyOf(over), members: [], expiresAt: new Date(0) });
        await assertListed(store, from, [staying], 'after the other records were moved or ended');
        await assertListed(store, to, [moved, replaced], 'of the subject they were moved to');
        await commit(store, put(moved));
        await assertListed(store, from, [staying, moved], 'after a record was moved back');
        await commit(store, revoke(grantId));
        for (const scope of [from, to]) await assertListed(store, scope, [], 'after the grant was revoked');
        await commit(store, claim(removed));
        await assertListed(store, from, [removed], 'after a claim under the revoked grant');
      }
    },
  },
  'list-follows-a-claim-after-expiry': {
    says: 'A record claimed or put where one has expired is in the list of its own subject and not of the old one.',
    async check({ store }) {
      const expiresAt = inMilliseconds(150);
      const cases = listedBySubject.flatMap((kind) =>
        [claim, put].map((write) => {
          const [before, after] = [freshId(), freshId()];
          const old = freshRecord({ kind, subject: before, expiresAt });
          return { kind, before, after, write, old, reborn: freshRecord({ kind, subject: after, id: old.id }) };
        }),
      );
      await putEach(
        store,
        cases.map(({ old }) => old),
      );
      await reach(expiresAt);
      for (const { kind, before, after, write, reborn } of cases) {
        await commit(store, write(reborn));
        await assertListed(store, { kind, subject: before }, [], 'of the subject of the expired record');
        const { records } = await store.list({ kind, subject: after, limit: 10 });
        assertFound(records[0], reborn, `a listed ${kind} where one has expired`);
      }
    },
  },
});
