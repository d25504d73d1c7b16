import type { Conflict, ConflictReason, FoundRecord, RecordKey, StoredRecord, Write } from '@carnet/adapter-contract';

/** Records by `nameOf`; never changed, only replaced. */
export type Records = Map<string, FoundRecord>;

/** What a commit comes to: the records it puts, and `null` for those it removes. */
export type Changes = Map<string, FoundRecord | null>;

/** No kind contains a colon, so no two keys meet. */
export const nameOf = ({ kind, id }: RecordKey): string => `${kind}:${id}`;

/** Expired is absent, and it is so from the very instant of the expiry. */
export const isLive = ({ expiresAt }: StoredRecord, now: number): boolean =>
  expiresAt === null || now < expiresAt.getTime();

/** A copy of the caller's. An invalid date would stand in the log as `null`, and the record would never expire. */
const copyOf = (date: Date): Date => {
  if (Number.isNaN(date.getTime())) throw new RangeError('A record was given an invalid date.');
  return new Date(date);
};

/** Not consumed and without members, whatever stood there before. */
const create = (record: StoredRecord): FoundRecord => ({
  ...record,
  expiresAt: record.expiresAt && copyOf(record.expiresAt),
  consumedAt: null,
  members: [],
});

/** Work out a commit, or the first of its writes that can't be carried out. Each sees those before it. */
export const prepareCommit = (records: Records, writes: readonly Write[], now: number): Changes | Conflict => {
  const changes: Changes = new Map();
  const set = (key: RecordKey, record: FoundRecord | null): void => void changes.set(nameOf(key), record);
  const find = (key: RecordKey): FoundRecord | undefined => {
    const changed = changes.get(nameOf(key));
    const record = changed === undefined ? records.get(nameOf(key)) : changed;
    return record && isLive(record, now) ? record : undefined;
  };

  const update = (key: RecordKey, change: (record: FoundRecord) => FoundRecord): ConflictReason | undefined => {
    const record = find(key);
    if (record === undefined) return 'absent';
    if (record.consumedAt !== null) return 'consumed';
    return void set(key, change(record));
  };

  const apply = (write: Write): ConflictReason | undefined => {
    switch (write.type) {
      case 'put':
        if (write.onlyIfPresent && find(write.record) === undefined) return 'absent';
        return void set(write.record, create(write.record));
      case 'claim':
        return find(write.record) ? 'exists' : void set(write.record, create(write.record));
      case 'remove':
        return void set(write.key, null);
      case 'consume':
        return update(write.key, (record) => ({ ...record, consumedAt: copyOf(write.at) }));
      case 'merge':
        return update(write.key, (record) => ({
          ...record,
          members: [...new Set([...record.members, ...write.members])],
          expiresAt: write.expiresAt ? copyOf(write.expiresAt) : record.expiresAt,
        }));
      // This looks at every record there is. A store that is more than an example has an index by grant.
      case 'revoke':
        for (const each of [...records.values(), ...changes.values()])
          if (each?.grantId === write.grantId) set(each, null);
        return undefined;
    }
  };

  for (const write of writes) {
    const reason = apply(write);
    if (reason !== undefined) return { write, reason };
  }
  return changes;
};
