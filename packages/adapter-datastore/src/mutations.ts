import type { RecordKey, Write } from '@carnet/adapter-contract';
import { applyWrites, type Change, keysOf } from '@carnet/adapter-contract/kit';
import { type Encoding, toEntity } from './entity.ts';
import { nameOf } from './keys.ts';
import type { Mutation } from './wire.ts';

/** The first write to each record. */
const firstWrites = (writes: readonly Write[]): ReadonlyMap<string, Write> => {
  const first = new Map<string, Write>();
  for (const write of writes) {
    for (const key of keysOf([write])) if (!first.has(nameOf(key))) first.set(nameOf(key), write);
  }
  return first;
};

/** Whether it can be carried out without knowledge of the record: the service checks that a claimed one is absent. */
const isBlind = (write: Write): boolean =>
  write.type === 'claim' || write.type === 'remove' || (write.type === 'put' && !write.onlyIfPresent);

/** One mutation for each record: the service refuses several sequences of mutations of one entity. */
export const toMutation = ({ key, record }: Change, encoding: Encoding): Mutation =>
  record === undefined ? { delete: encoding.keys.record(key) } : { upsert: toEntity(record, encoding) };

/**
 * The mutations of a commit that needs no knowledge of the stored records: only claims, puts and removals. A claim is an
 * insertion, which the service refuses if the record exists. Undefined if the commit needs the stored records.
 */
export const blindMutations = (
  writes: readonly Write[],
  now: number,
  encoding: Encoding,
): readonly Mutation[] | undefined => {
  const first = firstWrites(writes);
  if (writes.some(({ type }) => type === 'revoke') || ![...first.values()].every(isBlind)) return undefined;
  const isClaimed = (key: RecordKey): boolean => first.get(nameOf(key))?.type === 'claim';
  const changes = applyWrites(writes, { now, records: new Map(), ofRevokedGrants: [] });
  // A conflict with itself, or a claim that its own commit takes back.
  if (!('length' in changes) || changes.some(({ key, record }) => !record && isClaimed(key))) return undefined;
  return changes.map((change) =>
    change.record && isClaimed(change.key)
      ? { insert: toEntity(change.record, encoding) }
      : toMutation(change, encoding),
  );
};
