import { Histogram } from 'prom-client';
import { expect, test } from 'vitest';
import { createHistogram } from './histogram.ts';

test('a histogram has the same to tell as that of prom-client', async () => {
  const declared = {
    name: 'seconds',
    help: 'How long.',
    labelNames: ['route', 'status'],
    buckets: [0.01, 0.1, 1],
  };
  const ours = createHistogram(declared);
  const theirs = new Histogram({ ...declared, registers: [] });
  for (const [route, status, value] of [
    ['/a', 200, 0.001],
    ['/a', 200, 0.01],
    ['/a', 200, 0.5],
    ['/a', 404, 7],
    ['/b', 200, 1],
    ['', 200, 0],
  ] as const) {
    ours.observe([route, status], value);
    theirs.observe({ route, status }, value);
  }
  const { values, ...head } = await theirs.get();
  const snapshot = ours.snapshot();
  expect(snapshot).toMatchObject(head);
  expect(snapshot.values.map(({ metricName, labels, value }) => ({ metricName, labels, value }))).toEqual(
    values.map(({ metricName, labels, value }) => ({ metricName, labels, value })),
  );
});
