import type { Capabilities, Conflict, RecordKey, Write } from '@carnet/adapter-contract';

/** The record a write is about; nothing for a revocation. */
export const keyOf = (write: Exclude<Write, { type: 'revoke' }>): RecordKey =>
  'record' in write ? write.record : write.key;

/** What is committed together in every store: the records of a grant, or one record of none. */
const placeOf = (write: Write): string => {
  if (write.type === 'revoke') return `grant:${write.grantId}`;
  const { kind, id, grantId } = keyOf(write);
  return grantId === undefined ? `${kind}:${id}` : `grant:${grantId}`;
};

/** A commit's parts, in the order of their first writes. */
export const partsOf = (writes: readonly Write[]): readonly (readonly Write[])[] => [
  ...Map.groupBy(writes, placeOf).values(),
];

/** The writes of a commit that a conflict has undone or kept from happening, and not the one that could not be. */
export const undoneBy = (
  { write: failed }: Conflict,
  writes: readonly Write[],
  { atomicCommit }: Pick<Capabilities, 'atomicCommit'>,
): readonly Write[] => {
  const parts = atomicCommit === 'all' ? [writes] : partsOf(writes);
  const first = parts.findIndex((part) => part.includes(failed));
  return parts
    .slice(first)
    .flat()
    .filter((write) => write !== failed);
};
