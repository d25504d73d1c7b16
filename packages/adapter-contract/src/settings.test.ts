import { expect, it } from 'vitest';
import { durationSchema } from './settings.ts';

it.each([
  [90, 90],
  [0, 0],
  ['90', 90],
  ['90s', 90],
  ['30m', 1_800],
  ['720h', 2_592_000],
  ['3650d', 315_360_000],
])('%j is %d seconds', (written, seconds) => {
  expect(durationSchema(0).parse(written)).toBe(seconds);
});

it.each([-1, 1.5, Number.NaN, 315_360_001, '', '-1s', '1.5h', '1h30m', '1 h', '3651d', null, {}])(
  '%j is no duration',
  (written) => {
    expect(durationSchema(0).safeParse(written).success).toBe(false);
  },
);

it('keeps to the limits it is given, and names them', () => {
  const schema = durationSchema(60, 600);
  expect([schema.parse('1m'), schema.parse('10m')]).toEqual([60, 600]);
  expect(schema.safeParse('59s').error?.issues[0]?.message).toBe('must be at least 60 seconds');
  expect(schema.safeParse('11m').error?.issues[0]?.message).toContain('at most 600 seconds');
});
