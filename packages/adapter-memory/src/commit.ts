import type { ConflictReason, RecordKey, Write } from '@carnet/adapter-contract';
import { consumeEntry, createEntry, type Entry, entryKey, isLive, mergeEntry } from './entry.ts';

/** The current content of the store, as a commit reads it. */
export interface Base {
  /** The instant of the commit, in milliseconds since the epoch. */
  readonly now: number;
  get(key: string): Entry | undefined;
  keysOfGrant(grantId: string): Iterable<string>;
}

/** The changes of a commit in the making; `undefined` is a removal. */
type Changes = Map<string, Entry | undefined>;

/** A commit's own view: its changes so far, and the store behind them. Expired is absent in both. */
const createView = (base: Base, changes: Changes) => ({
  get(recordKey: RecordKey): Entry | undefined {
    const key = entryKey(recordKey);
    const entry = changes.has(key) ? changes.get(key) : base.get(key);
    return entry !== undefined && isLive(entry, base.now) ? entry : undefined;
  },
  set(recordKey: RecordKey, entry: Entry | undefined): undefined {
    changes.set(entryKey(recordKey), entry);
  },
  removeGrant(grantId: string): undefined {
    for (const [key, entry] of changes) if (entry?.record.grantId === grantId) changes.set(key, undefined);
    for (const key of base.keysOfGrant(grantId)) changes.set(key, undefined);
  },
});

type View = ReturnType<typeof createView>;

type WriteOf<T extends Write['type']> = Extract<Write, { type: T }>;

/** Consume and merge alike need a record that is there and not consumed. */
const change = (view: View, key: RecordKey, to: (entry: Entry) => Entry): ConflictReason | undefined => {
  const entry = view.get(key);
  if (entry === undefined) return 'absent';
  return entry.consumedAt === null ? view.set(key, to(entry)) : 'consumed';
};

/** Each write either changes the view or says why it can't. */
const apply: { readonly [T in Write['type']]: (view: View, write: WriteOf<T>) => ConflictReason | undefined } = {
  put(view, { record, onlyIfPresent }) {
    if (onlyIfPresent && view.get(record) === undefined) return 'absent';
    return view.set(record, createEntry(record));
  },
  remove: (view, { key }) => view.set(key, undefined),
  claim: (view, { record }) => (view.get(record) === undefined ? view.set(record, createEntry(record)) : 'exists'),
  consume: (view, { key, at }) => change(view, key, (entry) => consumeEntry(entry, at)),
  merge: (view, { key, members, expiresAt }) => change(view, key, (entry) => mergeEntry(entry, members, expiresAt)),
  revoke: (view, { grantId }) => view.removeGrant(grantId),
};

const applyWrite = (view: View, write: Write): ConflictReason | undefined =>
  (apply[write.type] as (view: View, write: Write) => ConflictReason | undefined)(view, write);

/** Work out what a commit changes, without changing it; or the conflict that stops it. */
export const prepareCommit = (base: Base, writes: readonly Write[]) => {
  const changes: Changes = new Map();
  const view = createView(base, changes);
  for (const write of writes) {
    const reason = applyWrite(view, write);
    if (reason !== undefined) return { conflict: { write, reason } };
  }
  return { changes };
};
