import type { FoundRecord, StorageAdapter, Write } from '@carnet/adapter-contract';
import { batchesOf } from '@carnet/adapter-contract/kit';
import { nameOf } from './name-of.ts';
import { writesOf } from './writes-of.ts';

type Target = Pick<StorageAdapter, 'commit'>;

/** Records of a commit: few, because some stores limit the size of a transaction. */
const mostOfCommit = 20;

/** The records of one grant, or one record without a grant: what every store commits atomically. */
const partsOf = (records: readonly FoundRecord[]): readonly (readonly FoundRecord[])[] =>
  [...Map.groupBy(records, ({ kind, id, grantId }) => grantId ?? `${kind}/${id}`).values()].flatMap((part) =>
    batchesOf(part, mostOfCommit),
  );

/** A record is never visible before it is marked as used: the one step is that all of its writes are in one commit. */
const put = (record: FoundRecord): readonly Write[] => writesOf(record, 'put');

/** @throws Error that names the record if the target does not take it, for example because it is too large */
const putOne = async (target: Target, record: FoundRecord): Promise<void> => {
  try {
    await target.commit(put(record));
  } catch (cause) {
    throw new Error(`The target did not store the ${nameOf(record)}.`, { cause });
  }
};

const putPart = async (target: Target, part: readonly FoundRecord[]): Promise<void> => {
  const [only, ...others] = part;
  if (only !== undefined && others.length === 0) return putOne(target, only);
  const conflict = await target.commit(part.flatMap(put)).catch(() => 'failed');
  if (conflict === undefined) return;
  // One record has expired meanwhile, and its conflict has undone the others; or the target did not take one.
  for (const record of part) await putOne(target, record);
};

/** Stores the records of a page as they were found, in place of those with their keys. */
export const putRecords = async (target: Target, records: readonly FoundRecord[]): Promise<void> => {
  await Promise.all(partsOf(records).map((part) => putPart(target, part)));
};

export const removeRecords = async (target: Target, records: readonly FoundRecord[]): Promise<void> => {
  await Promise.all(
    partsOf(records).map((part) =>
      target.commit(part.map(({ kind, id, grantId }) => ({ type: 'remove', key: { kind, id, grantId } }))),
    ),
  );
};
