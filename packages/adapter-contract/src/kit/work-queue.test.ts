import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** A queue whose work ends when the test says so. */
const open = (options: WorkQueueOptions) => {
  const queue = createWorkQueue({ ...options, full: () => new Error('busy') });
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const begin = (owner: string, name = owner) =>
    queue.run(owner, () => new Promise<string>((resolve) => running.push({ name, end: () => resolve(name) })));
  const endFirst = async () => {
    running.shift()?.end();
    await turn();
  };
  return { begin, endFirst, running: () => running.map(({ name }) => name) };
};

describe('a queue of work', () => {
  it('runs no more at the same time than it may', async () => {
    const { begin, endFirst, running } = open({ concurrency: 2 });
    const results = ['a', 'b', 'c'].map((owner) => begin(owner));
    await turn();
    expect(running()).toEqual(['a', 'b']);
    await endFirst();
    expect(running()).toEqual(['b', 'c']);
    await endFirst();
    await endFirst();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
  });

  it('lets owners take turns: attempts on one account delay another user by one piece of work', async () => {
    const { begin, endFirst, running } = open({ concurrency: 1 });
    for (let attempt = 0; attempt < 6; attempt++) void begin('attacked', `attempt ${attempt}`);
    void begin('other user');
    await turn();
    expect(running()).toEqual(['attempt 0']);
    await endFirst();
    expect(running()).toEqual(['other user']);
    await endFirst();
    expect(running()).toEqual(['attempt 1']);
    await endFirst();
    expect(running()).toEqual(['attempt 2']);
  });

  it('refuses what would wait too long, at once, and recovers', async () => {
    const { begin, endFirst } = open({ concurrency: 1, maxWaiting: 3, maxWaitingPerOwner: 2 });
    void begin('a');
    void begin('a');
    void begin('a');
    await expect(begin('a')).rejects.toThrow('busy');
    void begin('b');
    await expect(begin('c')).rejects.toThrow('busy');
    await turn();
    await endFirst();
    const accepted = begin('c');
    for (let count = 0; count < 4; count++) {
      await turn();
      await endFirst();
    }
    expect(await accepted).toBe('c');
  });

  it('passes the turn after work that fails', async () => {
    const queue = createWorkQueue({ concurrency: 1 });
    const failed = queue.run('a', () => Promise.reject(new Error('lost')));
    const next = queue.run('b', async () => 'done');
    await expect(failed).rejects.toThrow('lost');
    expect(await next).toBe('done');
  });
});
