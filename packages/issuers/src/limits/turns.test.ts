import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Issuer } from '../ports.ts';
import { createTurns } from './turns.ts';

const issuerOf = (name: string) => ({ name }) as Issuer;
const [flooded, quiet] = [issuerOf('flooded'), issuerOf('quiet')];

/** Requests that have begun, and turns of a process that is busy until `state.isBusy` is false. */
const open = () => {
  const state = { isBusy: true };
  const turns = createTurns(() => state.isBusy);
  const begun: string[] = [];
  const begin = async (issuer: Issuer, label: string) => {
    const end = await turns(issuer);
    begun.push(label);
    return end;
  };
  return { state, begun, begin };
};

it('of an issuer with many requests a few are in progress while the process is busy, and those of another do not wait', async () => {
  const { begun, begin } = open();
  await begin(quiet, 'quiet');
  const requests = Array.from({ length: 10 }, (_, index) => begin(flooded, `flooded ${index}`));
  await settle();
  expect(begun).toEqual(['quiet', ...[0, 1, 2, 3].map((index) => `flooded ${index}`)]);
  await begin(quiet, 'quiet again');
  (await requests[0])?.();
  await settle();
  expect(begun.slice(5)).toEqual(['quiet again', 'flooded 4']);
});

it('an issuer begins a few requests in each turn of the event loop, also if they wait for nothing', async () => {
  const { begun, begin } = open();
  await begin(quiet, 'quiet');
  const requests = Array.from({ length: 10 }, async (_, index) => (await begin(flooded, String(index)))());
  const begunAfter: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    // After what the promises of this turn have begun.
    await new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)));
    begunAfter.push(begun.length - 1);
    await settle();
  }
  expect(begunAfter).toEqual([4, 8, 10]);
  await Promise.all(requests);
});

it('requests that wait begin when the process is no longer busy, although none in progress has ended', async () => {
  const { state, begun, begin } = open();
  await begin(quiet, 'quiet');
  const requests = Array.from({ length: 10 }, (_, index) => begin(flooded, `flooded ${index}`));
  await settle();
  state.isBusy = false;
  await Promise.all(requests);
  expect(begun).toHaveLength(11);
});

it('requests that never end keep no others of their issuer from beginning, and a request that is ended twice gives back one place', async () => {
  const { begun, begin } = open();
  await begin(quiet, 'quiet');
  const ends = await Promise.all(Array.from({ length: 4 }, (_, index) => begin(flooded, `endless ${index}`)));
  await begin(flooded, 'after them');
  expect(begun.at(-1)).toBe('after them');
  for (const end of ends) end();
  const requests = Array.from({ length: 10 }, (_, index) => begin(flooded, `flooded ${index}`));
  await settle();
  expect(begun.slice(-3)).toEqual(['flooded 0', 'flooded 1', 'flooded 2']);
  await Promise.all(requests);
});

it('no request waits while only one issuer has any, or while the process is idle', async () => {
  const alone = open();
  await Promise.all(Array.from({ length: 20 }, (_, index) => alone.begin(flooded, String(index))));
  const idle = open();
  idle.state.isBusy = false;
  await idle.begin(quiet, 'quiet');
  await Promise.all(Array.from({ length: 20 }, (_, index) => idle.begin(flooded, String(index))));
  expect([alone.begun.length, idle.begun.length]).toEqual([20, 21]);
});

it('further requests than may wait are refused, as long as as many wait', async () => {
  const { begin } = open();
  await begin(quiet, 'quiet');
  for (let count = 0; count < 1_004; count++) void begin(flooded, 'flooded');
  await expect(begin(flooded, 'too many')).rejects.toMatchObject({ code: 'too_busy' });
  await begin(quiet, 'quiet again');
});
