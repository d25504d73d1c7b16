import { expect, it } from 'vitest';
import { untilUnchanged } from './resource.ts';

const overtaken = (times: number) => {
  const made = { calls: 0 };
  const change = async () => {
    made.calls += 1;
    if (made.calls <= times) throw Object.assign(new Error('overtaken'), { code: 'changed' });
    return made.calls;
  };
  return { made, change };
};

it('a change that another one has overtaken is repeated, unless the client has named the version', async () => {
  expect(await untilUnchanged(overtaken(4).change, undefined)).toBe(5);
  await expect(untilUnchanged(overtaken(5).change, undefined)).rejects.toThrow('overtaken');
  const { made, change } = overtaken(1);
  await expect(untilUnchanged(change, '1')).rejects.toThrow('overtaken');
  expect(made.calls).toBe(1);
});
