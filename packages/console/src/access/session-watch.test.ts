import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from './session.ts';
import { createSessionWatch } from './session-watch.ts';

const session: Session = { token: 'one', name: 'Ada', role: 'viewer', begunAt: 0, seenAt: 0, authTime: 0 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** Lets the intervals of so many seconds pass. */
const pass = async (seconds: number): Promise<void> => {
  vi.advanceTimersByTime(seconds * 1_000);
  await setImmediate();
};

test('a session that another process ends is noticed within seconds, by one check for all of its streams', async () => {
  let isOpen = true;
  let checks = 0;
  const { watch } = createSessionWatch(async () => {
    checks += 1;
    return isOpen;
  });
  const streams = Array.from({ length: 5 }, () => watch(session));
  await pass(6);
  expect(checks).toBe(2);
  isOpen = false;
  await pass(3);
  expect(streams.map(({ ended }) => ended.aborted)).toEqual([true, true, true, true, true]);
  await pass(30);
  expect(checks).toBe(3);
});

test('a session without streams is not checked, and a store that does not answer ends none', async () => {
  let checks = 0;
  const { watch } = createSessionWatch(async () => {
    checks += 1;
    throw new Error('no answer');
  });
  const [first, second] = [watch(session), watch(session)];
  first.stop();
  await pass(3);
  expect([checks, second.ended.aborted]).toEqual([1, false]);
  second.stop();
  await pass(30);
  expect(checks).toBe(1);
});
