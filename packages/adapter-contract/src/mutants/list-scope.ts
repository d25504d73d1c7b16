import type { RecordKey, StoredRecord, Write } from '../port.ts';
import { byOffset } from './list.ts';
import { listAll, type Mutant, mapKey, mutantsOf, override, withAnswers, withRecords, withWrites } from './mutant.ts';

/** Stores a subject as `fold` makes it, and gives it back as it was: what is wrong is what a list matches. */
const foldingSubjects =
  (fold: (subject: string) => string): Mutant['wrap'] =>
  (adapter) => {
    const given = new Map<string, string | undefined>();
    const store = withRecords(adapter, (record) => {
      given.set(mapKey(record), record.subject);
      return record.subject === undefined ? record : { ...record, subject: fold(record.subject) };
    });
    const answering = withAnswers(store, (found) => ({ ...found, subject: given.get(mapKey(found)) }));
    return override(answering, {
      list: (query) => answering.list(query.subject === undefined ? query : { ...query, subject: fold(query.subject) }),
    });
  };

/** Keeps lists of its own, where `subjectOf` says; the record itself is right. */
const listing =
  (
    subjectOf: (write: Write & { record: StoredRecord }, known: string | undefined) => string | undefined,
  ): Mutant['wrap'] =>
  (adapter) => {
    const subjects = new Map<string, { readonly key: RecordKey; readonly subject: string | undefined }>();
    const store = withWrites(adapter, (write) => {
      if (!('record' in write)) return write;
      const name = mapKey(write.record);
      subjects.set(name, { key: write.record, subject: subjectOf(write, subjects.get(name)?.subject) });
      return write;
    });
    return override(store, {
      list: async (query) => {
        if (query.subject === undefined) return adapter.list(query);
        const keys = [...subjects.values()].filter(
          ({ key, subject }) => key.kind === query.kind && subject === query.subject,
        );
        const all = await adapter.read(keys.map(({ key }) => key));
        return byOffset(
          all.filter((found) => found !== undefined),
          query,
        );
      },
    });
  };

export const listScopeMutants = mutantsOf({
  'list-is-of-one-subject': {
    'filters-without-case': foldingSubjects((subject) => subject.toLowerCase()),
    'filters-without-trailing-spaces': foldingSubjects((subject) => subject.trimEnd()),
    'filters-normalised-subjects': foldingSubjects((subject) => subject.normalize('NFC')),
    'filters-by-255-characters': foldingSubjects((subject) => subject.slice(0, 255)),
    'takes-a-client-for-a-subject': listing(({ record }) => record.subject ?? record.clientId),
  },
  'list-is-of-one-kind': {
    'lists-what-the-subject-has-of-any-kind': (adapter) =>
      override(adapter, {
        list: async (query) => {
          if (query.subject === undefined) return adapter.list(query);
          const { subject } = query;
          const [grants, sessions, consents] = await Promise.all(
            (['grant', 'session', 'consent'] as const).map((kind) => listAll(adapter, { kind, subject, limit: 500 })),
          );
          return byOffset([grants ?? [], sessions ?? [], consents ?? []].flat(), query);
        },
      }),
  },
  'list-follows-every-change': {
    'lists-under-the-first-subject': listing(({ record }, known) => known ?? record.subject),
    'keeps-the-subject-a-put-does-not-give': listing(({ record }, known) => record.subject ?? known),
  },
  'list-follows-a-claim-after-expiry': {
    'claims-under-the-subject-of-the-expired': listing(({ type, record }, known) =>
      type === 'claim' ? (known ?? record.subject) : record.subject,
    ),
  },
});
