import { expect, test } from 'vitest';
import { createExpiryQueue } from './expiry-queue.ts';

const drain = (queue: ReturnType<typeof createExpiryQueue>, now: number): readonly number[] => {
  const taken: number[] = [];
  for (let due = queue.takeDue(now); due; due = queue.takeDue(now)) taken.push(due.at);
  return taken;
};

/** The same numbers in every run, in no order. */
const scattered = Array.from({ length: 500 }, (_, i) => (i * 7_919) % 503);

test('keys are taken in the order they fall due, whatever order they came in', () => {
  const queue = createExpiryQueue();
  for (const at of scattered) queue.add({ at, key: `${at}` });
  expect(drain(queue, 1_000)).toEqual(scattered.toSorted((a, b) => a - b));
});

test('a key is due at its instant and not before', () => {
  const queue = createExpiryQueue();
  queue.add({ at: 10, key: 'a' });
  expect(queue.takeDue(9)).toBeUndefined();
  expect(queue.takeDue(10)).toEqual({ at: 10, key: 'a' });
  expect(queue.takeDue(10)).toBeUndefined();
});

test('keys that are not due stay', () => {
  const queue = createExpiryQueue();
  for (const at of scattered) queue.add({ at, key: `${at}` });
  expect(drain(queue, 99)).toHaveLength(scattered.filter((at) => at <= 99).length);
  expect(queue.size).toBe(scattered.filter((at) => at > 99).length);
});

test('a rebuilt queue holds what it was rebuilt from and nothing else', () => {
  const queue = createExpiryQueue();
  queue.add({ at: 1, key: 'old' });
  queue.rebuild(scattered.map((at) => ({ at, key: `${at}` })));
  queue.add({ at: 250.5, key: 'new' });
  expect(drain(queue, 1_000)).toEqual([...scattered, 250.5].sort((a, b) => a - b));
});
