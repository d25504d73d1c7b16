import { expect, it } from 'vitest';
import { createMemoryAttemptStore } from './attempts.ts';

it('a count begins again after its window, whether or not the expired counts have been removed', async () => {
  const clock = { now: 0 };
  const store = createMemoryAttemptStore(() => clock.now);
  for (const [now, count] of [
    [0, 1],
    [400, 2],
    [500, 1],
    [999, 2],
    [1_000, 1],
    [5_000, 1],
  ] as const) {
    clock.now = now;
    expect(await store.increment('key', 0.5), `at ${now}`).toMatchObject({ count });
  }
});
