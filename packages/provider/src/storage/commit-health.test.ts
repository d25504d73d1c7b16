import { describe, expect, it } from 'vitest';
import { createCommitHealth } from './commit-health.ts';

const error = new Error('the disk is full');

const start = () => {
  let time = 0;
  const health = createCommitHealth(() => time);
  const fail = (count: number) => {
    for (let index = 0; index < count; index += 1) health.failed(error);
  };
  return { health, fail, wait: (seconds: number) => (time += seconds * 1000) };
};

describe('commit health', () => {
  it('has the last error once three commits in a row have failed, not before', () => {
    const { health, fail } = start();
    fail(2);
    expect(health.failure()).toBeUndefined();
    fail(1);
    expect(health.failure()).toBe(error);
  });

  it('counts anew after a commit that succeeded', () => {
    const { health, fail } = start();
    fail(3);
    health.succeeded();
    expect(health.failure()).toBeUndefined();
    fail(2);
    expect(health.failure()).toBeUndefined();
  });

  it('forgets the failures ten seconds after the last one, and counts on when the next one fails', () => {
    const { health, fail, wait } = start();
    fail(3);
    wait(9);
    fail(1);
    wait(9);
    expect(health.failure()).toBe(error);
    wait(1);
    expect(health.failure()).toBeUndefined();
    fail(1);
    expect(health.failure()).toBe(error);
  });
});
