import { withDeadline } from '@carnet/adapter-contract/sql';
import { expect, test } from 'vitest';
import { createSweep } from './sweep.ts';

test('a sweep that cannot read from the beginning removes what expired within the last hour', async () => {
  const starts: unknown[] = [];
  const run = async ({ values }: { readonly values: readonly unknown[] }) => {
    starts.push(values[3]);
    if (values[3] === '-infinity') throw new Error('timeout');
    return [[10, 15, '7200000']];
  };
  const sweep = createSweep({ run }, () => 7_200_000);
  const sweepTen = () => withDeadline(1_000, (deadline) => sweep(10, deadline));
  await expect(sweepTen()).rejects.toThrow('timeout');
  expect(await sweepTen()).toEqual({ removed: 10, left: 5 });
  await sweepTen();
  expect(starts).toEqual(['-infinity', '1970-01-01T01:00:00.000Z', '1970-01-01T02:00:00.000Z']);
});
