import { keyOfWrite } from './parts.ts';
import type { Conflict, ConflictReason, FoundRecord, RecordKey, StoredRecord, Write } from './port.ts';

/** One text for each record: no kind contains a colon. The SQL of a commit may build the same. */
export const nameOfRecord = ({ kind, id }: RecordKey): string => `${kind}:${id}`;

/** True before the instant of expiry, false from it on. */
export const isUnexpired = ({ expiresAt }: StoredRecord, now: number): boolean =>
  expiresAt === null || now < expiresAt.getTime();

/** The stored records, as a commit finds them. */
export interface Base {
  readonly now: number;
  /** By name; expired ones included. */
  readonly records: ReadonlyMap<string, FoundRecord>;
  /** The keys of all records of the revoked grants. */
  readonly ofRevokedGrants: readonly RecordKey[];
}

/** The new state of a record; without a `record` it is removed. */
export interface Change {
  readonly key: RecordKey;
  readonly record?: FoundRecord;
}

type Changes = Map<string, Change>;

/** A commit's own view: its changes so far, and the store behind them. Expired is absent in both. */
const createView = ({ now, records, ofRevokedGrants }: Base, changes: Changes) => {
  const remove = (key: RecordKey): undefined => {
    changes.set(nameOfRecord(key), { key });
  };
  return {
    get(key: RecordKey): FoundRecord | undefined {
      const name = nameOfRecord(key);
      const record = changes.has(name) ? changes.get(name)?.record : records.get(name);
      return record && isUnexpired(record, now) ? record : undefined;
    },
    set(record: FoundRecord): undefined {
      changes.set(nameOfRecord(record), { key: record, record });
    },
    remove,
    revoke(grantId: string): undefined {
      for (const { key } of changes.values()) if (key.grantId === grantId) remove(key);
      for (const key of ofRevokedGrants) if (key.grantId === grantId) remove(key);
    },
  };
};

type View = ReturnType<typeof createView>;

const fresh = (record: StoredRecord): FoundRecord => ({ ...record, consumedAt: null, members: [] });

/** Consume and merge alike need a record that is there and not consumed. */
const change = (view: View, key: RecordKey, to: (record: FoundRecord) => FoundRecord): ConflictReason | undefined => {
  const record = view.get(key);
  if (record === undefined) return 'absent';
  return record.consumedAt === null ? view.set(to(record)) : 'consumed';
};

type WriteOf<T extends Write['type']> = Extract<Write, { type: T }>;

/** Each write either changes the view or returns the reason why it cannot. */
const apply: { readonly [T in Write['type']]: (view: View, write: WriteOf<T>) => ConflictReason | undefined } = {
  put(view, { record, onlyIfPresent }) {
    if (onlyIfPresent && view.get(record) === undefined) return 'absent';
    return view.set(fresh(record));
  },
  claim: (view, { record }) => (view.get(record) === undefined ? view.set(fresh(record)) : 'exists'),
  remove: (view, { key }) => view.remove(key),
  consume: (view, { key, at }) => change(view, key, (record) => ({ ...record, consumedAt: at })),
  // A merge without members writes its record, too: a condition that was only read might not notice a revocation.
  merge: (view, { key, members, expiresAt }) =>
    change(view, key, (record) => ({
      ...record,
      members: [...new Set([...record.members, ...members])],
      expiresAt: expiresAt ?? record.expiresAt,
    })),
  revoke: (view, { grantId }) => view.revoke(grantId),
};

/** The changes of a commit, each record once; or the first write whose condition failed. */
export const applyWrites = (writes: readonly Write[], base: Base): readonly Change[] | Conflict => {
  const changes: Changes = new Map();
  const view = createView(base, changes);
  for (const write of writes) {
    const reason = (apply[write.type] as (view: View, write: Write) => ConflictReason | undefined)(view, write);
    if (reason !== undefined) return { write, reason };
  }
  return [...changes.values()];
};

/** The keys of the records that the writes name, each as often as they do. */
export const keysOf = (writes: readonly Write[]): readonly RecordKey[] =>
  writes.flatMap((write) => keyOfWrite(write) ?? []);
