import { expect, it } from 'vitest';
import { Problem } from './problem.ts';
import { createReportLimit } from './report-limit.ts';

it('reports each kind of outage once in ten seconds, and every other problem', () => {
  let now = 0;
  const isReported = createReportLimit(() => now);
  const reported = (code: Problem['code']) =>
    Array.from({ length: 12 }, (_, second) => {
      now = second * 1_000;
      return isReported(new Problem(code)) ? [second] : [];
    }).flat();
  expect(reported('directory_unavailable')).toEqual([0, 10]);
  expect(reported('api_unavailable')).toEqual([0, 10]);
  expect(reported('server_error')).toHaveLength(12);
});
