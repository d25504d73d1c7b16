import type { Surface } from '../command.ts';
import { createProgress } from '../records/progress.ts';
import { readAhead } from '../records/read-ahead.ts';
import { scanPages } from '../records/scan-pages.ts';
import { putRecords, removeRecords } from '../records/write-records.ts';
import type { Pair } from './compare-stores.ts';
import { assertKnown, comparePages } from './differences.ts';

/** The numbers of records that a copy has written and removed. */
export interface Copied {
  readonly copied: number;
  readonly changed: number;
  readonly removed: number;
}

const countRecords = async ({ source }: Pair, surface: Pick<Surface, 'err'>): Promise<number> => {
  const onProgress = createProgress(surface, 'of the source counted');
  let total = 0;
  for await (const records of scanPages(source)) {
    assertKnown(records);
    total += records.length;
    onProgress(total);
  }
  return total;
};

/**
 * Makes the target equal to the source. A record that the target has already is not written again, so that it may be
 * interrupted at any time, and repeated.
 *
 * Law: if the source does not change meanwhile, the target has no record afterwards that the source lacks, or has in another
 * version: what was revoked or used in the source is revoked or used in the target, whatever earlier copies have brought.
 */
export const copyRecords = async (pair: Pair, surface: Pick<Surface, 'err'>): Promise<Copied> => {
  const { source, target } = pair;
  const total = await countRecords(pair, surface);
  if (total === 0) throw new Error('The source has no records. Check --from.');
  const onProgress = createProgress(surface, 'copied', total);
  let [read, copied, changed, removed] = [0, 0, 0, 0];
  for await (const { records, absent, different } of readAhead(comparePages(source, target))) {
    await putRecords(target, [...absent, ...different]);
    read += records.length;
    copied += absent.length;
    changed += different.length;
    onProgress(read);
  }
  for await (const { absent } of readAhead(comparePages(target, source))) {
    await removeRecords(target, absent);
    removed += absent.length;
  }
  return { copied, changed, removed };
};
