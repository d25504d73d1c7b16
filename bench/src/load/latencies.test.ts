import { expect, it } from 'vitest';
import { bucketsPerDecade, createLatencies } from './latencies.ts';

it('percentiles are those of what was recorded, to three digits', () => {
  const latencies = createLatencies();
  for (let milliseconds = 1; milliseconds <= 1_000; milliseconds += 1) latencies.record(milliseconds);
  expect(latencies.percentile(50)).toBeCloseTo(500, -1);
  expect(latencies.percentile(99)).toBeCloseTo(990, -1);
});

it('what several have recorded is added up', () => {
  const [one, other, all] = [createLatencies(), createLatencies(), createLatencies()];
  one.record(1);
  other.record(1);
  other.record(100);
  all.add(one);
  all.add(other);
  // 1 ms is 10^3 microseconds, 100 ms 10^5.
  expect(all.buckets[3 * bucketsPerDecade]).toBe(2);
  expect(all.buckets[5 * bucketsPerDecade]).toBe(1);
  expect(all.histogram.count).toBe(3);
});
