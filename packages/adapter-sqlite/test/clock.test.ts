import { describe, expect, test } from 'vitest';
import { claim, present, put } from './records.ts';
import { freshFile, openStore } from './store-file.ts';

/** A store with a clock that stands until it is moved. */
const openAt = async (instant: number) => {
  const clock = { now: instant };
  const store = await openStore(freshFile(), { now: () => clock.now });
  return { clock, store };
};

const until = (time: number) => ({ expiresAt: new Date(time) });

describe('the store, by the clock it is given', () => {
  test('has a record one millisecond before its expiry and not at it', async () => {
    const { clock, store } = await openAt(1_000);
    await store.commit([put('a', until(2_000))]);
    clock.now = 1_999;
    expect(await present(store, ['a'])).toEqual(['a']);
    clock.now = 2_000;
    expect(await present(store, ['a'])).toEqual([]);
  });

  test('takes a second claim at the instant the first one expires, and not before', async () => {
    const { clock, store } = await openAt(1_000);
    const first = claim('once', until(2_000));
    await store.commit([first]);
    clock.now = 1_999;
    expect(await store.commit([first])).toEqual({ write: first, reason: 'exists' });
    clock.now = 2_000;
    expect(await store.commit([claim('once')])).toBeUndefined();
  });

  test('sweeps what has expired, the oldest first, and counts what is left', async () => {
    const { clock, store } = await openAt(0);
    const times = Array.from({ length: 600 }, (_, n) => n + 1);
    await store.commit([...times.map((time) => put(`${time}`, until(time))), put('never')]);
    clock.now = 590;
    expect(await store.sweep(300)).toEqual({ removed: 300, left: 290 });
    clock.now = 0;
    expect(await present(store, ['300', '301', 'never'])).toEqual(['301', 'never']);
    clock.now = 590;
    expect(await store.sweep(300)).toEqual({ removed: 290, left: 0 });
    expect(await store.sweep(300)).toEqual({ removed: 0, left: 0 });
    expect(await present(store, ['590', '591', 'never'])).toEqual(['591', 'never']);
  });
});
