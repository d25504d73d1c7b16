import { countIndexEntries } from './entities.ts';
import { kindOf } from './keys.ts';
import { encodeKey } from './order.ts';
import type { Entity, Key, Timestamp } from './protocol.ts';

/** Microseconds since 1970: a version of the store, and the time of it. */
export type Version = number;

export interface Stored {
  readonly entity: Entity;
  readonly version: Version;
  readonly createdAt: Version;
}

/** `stored` is undefined where the entity was deleted. */
interface Revision {
  readonly version: Version;
  readonly stored: Stored | undefined;
}

interface Row {
  readonly key: Key;
  revisions: readonly Revision[];
}

export interface Change {
  readonly key: Key;
  readonly entity: Entity | undefined;
}

/** Hears of each change: indexes follow the newest state. */
export type ChangeListener = (id: string, kind: string, before: Entity | undefined, after: Entity | undefined) => void;

export interface Store {
  /** A version that is greater than each before, and less than each after. */
  nextVersion(): Version;
  /** The entity as of a version; the newest without one. */
  read(id: string, asOf?: Version): Stored | undefined;
  /** The version of the last change of a kind. */
  changedAt(kind: string): Version;
  /** Every entity of a kind as of a version. */
  list(kind: string, asOf?: Version): Generator<readonly [id: string, stored: Stored]>;
  /** Applies all changes at once, and answers how many index entries they changed. */
  apply(changes: readonly Change[], version: Version): number;
  onChange(listener: ChangeListener): void;
  count(): number;
}

export const toTimestamp = (version: Version): Timestamp => ({
  seconds: `${Math.floor(version / 1_000_000)}`,
  nanos: (version % 1_000_000) * 1_000,
});

const readRow = (row: Row | undefined, asOf: Version): Stored | undefined =>
  row?.revisions.findLast(({ version }) => version <= asOf)?.stored;

/**
 * Entities in memory, with the revisions that a running transaction may still read: `oldestSnapshot` answers the version
 * of the oldest one.
 */
export const createStore = (oldestSnapshot: () => Version): Store => {
  const kinds = new Map<string, Map<string, Row>>();
  const rows = new Map<string, Row>();
  const changes = new Map<string, Version>();
  const listeners: ChangeListener[] = [];
  let last: Version = 0;

  const rowsOf = (kind: string) => {
    const found = kinds.get(kind) ?? new Map<string, Row>();
    kinds.set(kind, found);
    return found;
  };

  const applyOne = ({ key, entity }: Change, version: Version): number => {
    const id = encodeKey(key);
    const kind = kindOf(key);
    const row = rows.get(id) ?? { key, revisions: [] };
    const before = row.revisions.at(-1)?.stored;
    const stored = entity && { entity, version, createdAt: before?.createdAt ?? version };
    const oldest = oldestSnapshot();
    // A snapshot reads the newest revision that is not newer than itself: the ones before it serve none.
    const kept = row.revisions.findLastIndex((revision) => revision.version <= oldest);
    row.revisions = [
      ...row.revisions.slice(oldest === Infinity ? row.revisions.length : Math.max(kept, 0)),
      { version, stored },
    ];
    if (stored === undefined && row.revisions.length === 1) {
      rows.delete(id);
      rowsOf(kind).delete(id);
    } else {
      rows.set(id, row);
      rowsOf(kind).set(id, row);
    }
    changes.set(kind, version);
    for (const listener of listeners) listener(id, kind, before?.entity, entity);
    return before === undefined || entity === undefined
      ? countIndexEntries(before?.entity ?? entity)
      : countIndexEntries(before.entity) + countIndexEntries(entity) - 2;
  };

  return {
    nextVersion() {
      last = Math.max(last + 1, Date.now() * 1_000);
      return last;
    },
    read: (id, asOf = Infinity) => readRow(rows.get(id), asOf),
    changedAt: (kind) => changes.get(kind) ?? 0,
    *list(kind, asOf = Infinity) {
      for (const [id, row] of rowsOf(kind)) {
        const stored = readRow(row, asOf);
        if (stored !== undefined) yield [id, stored];
      }
    },
    apply(list, version) {
      last = Math.max(last, version);
      return list.reduce((sum, change) => sum + applyOne(change, version), 0);
    },
    onChange: (listener) => void listeners.push(listener),
    count: () => rows.size,
  };
};
