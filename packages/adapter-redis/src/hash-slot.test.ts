import { expect, test } from 'vitest';
import { slotOf } from './hash-slot.ts';

// What `CLUSTER KEYSLOT` answers.
test.each([
  ['123456789', 12_739],
  ['foo', 12_182],
  ['', 0],
])('the slot of %j is the one of the specification', (key, slot) => {
  expect(slotOf(key)).toBe(slot);
});

test.each([
  ['{foo}.bar', 'foo'],
  ['a{foo}b{bar}', 'foo'],
  ['a{{foo}b', '{foo'],
])('of %j only %j counts', (key, tag) => {
  expect(slotOf(key)).toBe(slotOf(tag));
});

test.each(['a{}b{foo}', 'a{foo', 'a}foo{'])('of %j, which has nothing in its first braces, all counts', (key) => {
  expect(slotOf(key)).not.toBe(slotOf('foo'));
});
