import { describe, expect, it } from 'vitest';
import { dueSuccessor, type ScheduledKey, statesAt } from './schedule.ts';

const day = 86_400_000;
const schedule = { announcedSeconds: 14 * 86_400, activeSeconds: 90 * 86_400, retiredSeconds: 14 * 86_400 };

const key = (generation: number, activeDay: number, alg: ScheduledKey['alg'] = 'ES256'): ScheduledKey => ({
  kid: `${alg}-${generation}`,
  alg,
  generation,
  activeAt: activeDay * day,
});

const shown = (keys: readonly ScheduledKey[], atDay: number): Record<string, string> =>
  Object.fromEntries(statesAt(keys, atDay * day, schedule).map(({ key: { kid }, state }) => [kid, state]));

describe('the states of keys', () => {
  const both = [key(1, 0), key(2, 90)];

  it.each([
    [76, 'active', 'announced'],
    [89.99, 'active', 'announced'],
    [90, 'retired', 'active'],
    [103.99, 'retired', 'active'],
    [104, 'gone', 'active'],
    [5_000, 'gone', 'active'],
  ])('on day %d the older is %s and the newer %s', (atDay, older, newer) => {
    expect(shown(both, atDay)).toEqual({ 'ES256-1': older, 'ES256-2': newer });
    expect(shown(both.toReversed(), atDay)).toEqual({ 'ES256-1': older, 'ES256-2': newer });
  });

  it('follow for each algorithm by itself', () => {
    expect(shown([...both, key(1, 40, 'RS256')], 95)).toEqual({
      'ES256-1': 'retired',
      'ES256-2': 'active',
      'RS256-1': 'active',
    });
  });

  it('let one key sign for each algorithm at every instant, whatever keys there are', () => {
    const many = [key(1, 0), key(2, 90), key(3, 80), key(5, 200), key(6, 200), key(1, 300, 'RS256')];
    for (let at = -10; at < 400; at += 5) {
      const active = statesAt(many, at * day, schedule).filter(({ state }) => state === 'active');
      expect(active.map(({ key: { alg } }) => alg)).toEqual(['ES256', 'RS256']);
    }
  });

  it('never let a generation sign again after a newer one has', () => {
    const overtaken = [key(1, 0), key(2, 90), key(3, 80)];
    expect(shown(overtaken, 85)).toEqual({ 'ES256-1': 'retired', 'ES256-2': 'retired', 'ES256-3': 'active' });
    expect(shown(overtaken, 91)).toEqual({ 'ES256-1': 'retired', 'ES256-2': 'retired', 'ES256-3': 'active' });
    expect(shown(overtaken, 95)).toEqual({ 'ES256-1': 'gone', 'ES256-2': 'gone', 'ES256-3': 'active' });
  });

  it('let a key sign before its time when there is no other', () => {
    expect(shown([key(4, 10)], 1)).toEqual({ 'ES256-4': 'active' });
  });
});

describe('the successor', () => {
  it('of nothing signs at once', () => {
    expect(dueSuccessor([], 5 * day, schedule)).toEqual({ generation: 1, activeAt: 5 * day });
  });

  it('the successor is due when it can still be announced for its time', () => {
    expect(dueSuccessor([key(1, 0)], 75.9 * day, schedule)).toBeUndefined();
    expect(dueSuccessor([key(1, 0)], 76 * day, schedule)).toEqual({ generation: 2, activeAt: 90 * day });
  });

  it('the successor is created once', () => {
    expect(dueSuccessor([key(1, 0), key(2, 90)], 80 * day, schedule)).toBeUndefined();
  });

  it('the successor is announced for its time even after an idle period', () => {
    expect(dueSuccessor([key(1, 0)], 400 * day, schedule)).toEqual({ generation: 2, activeAt: 414 * day });
    expect(shown([key(1, 0), key(2, 414)], 413)).toEqual({ 'ES256-1': 'active', 'ES256-2': 'announced' });
  });
});
