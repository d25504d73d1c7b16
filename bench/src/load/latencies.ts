import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Buckets of one decade in the report's histograms. */
export const bucketsPerDecade = 10;

/** The latencies of answers. */
export interface Latencies {
  /** @param milliseconds of one answer */
  record(milliseconds: number): void;
  /** Adds the recordings of another one. */
  add(other: Latencies): void;
  /** @returns milliseconds below which that share (0 to 100) was answered */
  percentile(share: number): number;
  /** A histogram with high dynamic range, of microseconds. */
  readonly histogram: RecordableHistogram;
  /** How many by bucket: that of index `i` begins at 10^(i / bucketsPerDecade) microseconds. */
  readonly buckets: readonly number[];
}

export const createLatencies = (): Latencies => {
  // Three significant digits, as HdrHistogram keeps them.
  const histogram = createHistogram({ figures: 3 });
  const buckets: number[] = [];
  const count = (index: number, amount: number): void => {
    while (buckets.length <= index) buckets.push(0);
    buckets[index] = (buckets[index] as number) + amount;
  };
  return {
    record(milliseconds) {
      const microseconds = Math.max(1, Math.round(milliseconds * 1_000));
      histogram.record(microseconds);
      count(Math.floor(Math.log10(microseconds) * bucketsPerDecade), 1);
    },
    add(other) {
      histogram.add(other.histogram);
      other.buckets.forEach((amount, index) => {
        count(index, amount);
      });
    },
    percentile: (share) => histogram.percentile(share) / 1_000,
    histogram,
    buckets,
  };
};
