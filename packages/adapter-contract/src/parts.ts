import type { RecordKey, Write } from './port.ts';

/** A write about one record. */
export type RecordWrite = Exclude<Write, { type: 'revoke' }>;

/** The record that a write is about; a revocation is about none in particular. */
export function keyOfWrite(write: RecordWrite): RecordKey;
export function keyOfWrite(write: Write): RecordKey | undefined;
export function keyOfWrite(write: Write): RecordKey | undefined {
  if (write.type === 'revoke') return undefined;
  return 'record' in write ? write.record : write.key;
}

/** The unit that every store commits atomically: a grant and its records, or a record without a grant. */
const partOf = (write: Write): string => {
  if (write.type === 'revoke') return `grant:${write.grantId}`;
  const { kind, id, grantId } = keyOfWrite(write);
  return grantId === undefined ? `record:${kind}:${id}` : `grant:${grantId}`;
};

/** The parts of a commit, in the order of their first writes: see `atomicCommit`. */
export const partsOf = (writes: readonly Write[]): readonly (readonly Write[])[] => [
  ...Map.groupBy(writes, partOf).values(),
];
