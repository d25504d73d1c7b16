import type { StorageAdapter } from '@carnet/adapter-contract';
import { scanPages } from '../records/scan-pages.ts';
import type { Pair } from './compare-stores.ts';

/** The first page of a store that is not empty. */
const firstPage = async (store: StorageAdapter) => {
  for await (const records of scanPages(store)) if (records.length > 0) return records;
  return [];
};

/** @throws Error if the target is not empty */
export const assertEmpty = async ({ target }: Pair): Promise<void> => {
  if ((await firstPage(target)).length === 0) return;
  throw new Error(
    'The target has records. If they are from an earlier copy of this source, and no server has used the target, add --again: records that differ are then changed or removed.',
  );
};

/**
 * Protects the records of a store that was named as the target by mistake, which would all be removed: the target of a
 * repeated copy has mostly records of the source.
 *
 * @throws Error if it has not
 */
export const assertIsCopy = async ({ source, target }: Pair): Promise<void> => {
  const sample = await firstPage(target);
  const copied = (await source.read(sample)).filter((record) => record !== undefined);
  if (copied.length * 2 >= sample.length) return;
  throw new Error(
    'The target is not a copy of the source: the source lacks most of its records. Nothing was changed. Check --from and --to, or use an empty target.',
  );
};
