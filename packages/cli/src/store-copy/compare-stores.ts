import { type FoundRecord, type Kind, kinds, type StorageAdapter } from '@carnet/adapter-contract';
import type { Surface } from '../command.ts';
import { createProgress } from '../records/progress.ts';
import { comparePages, isLasting } from './differences.ts';

export interface Pair {
  readonly source: StorageAdapter;
  readonly target: StorageAdapter;
}

const columns = ['source', 'target', 'missing', 'different', 'surplus'] as const;

/** The numbers of records of a kind: `missing` in the target, `different` there, and `surplus`: only there. */
export type Counts = Readonly<Record<(typeof columns)[number], number>>;

export type Comparison = ReadonlyMap<Kind, Counts>;

const createCounts = () => {
  const byKind = new Map<Kind, Record<keyof Counts, number>>();
  return {
    add(column: keyof Counts, records: readonly FoundRecord[]): void {
      for (const { kind } of records) {
        const counts = byKind.get(kind) ?? { source: 0, target: 0, missing: 0, different: 0, surplus: 0 };
        counts[column] += 1;
        byKind.set(kind, counts);
      }
    },
    result: (): Comparison =>
      new Map(kinds.flatMap((kind) => (byKind.has(kind) ? [[kind, byKind.get(kind) as Counts] as const] : []))),
  };
};

/** Compares all records of two stores, in both directions. Changes nothing, and needs constant memory. */
export const compareStores = async ({ source, target }: Pair, surface: Pick<Surface, 'err'>): Promise<Comparison> => {
  const counts = createCounts();
  const onProgress = createProgress(surface, 'compared');
  let compared = 0;
  const count = (column: 'source' | 'target', records: readonly FoundRecord[]): void => {
    counts.add(column, records);
    compared += records.length;
    onProgress(compared);
  };
  for await (const { records, absent, different } of comparePages(source, target)) {
    count('source', records);
    counts.add('missing', absent.filter(isLasting));
    counts.add('different', different);
  }
  for await (const { records, absent } of comparePages(target, source)) {
    count('target', records);
    counts.add('surplus', absent.filter(isLasting));
  }
  return counts.result();
};

/** Whether the stores have the same records. The numbers decide nothing: a scan may return a record twice. */
export const areEqual = (comparison: Comparison): boolean =>
  [...comparison.values()].every(({ missing, different, surplus }) => missing + different + surplus === 0);
