import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, it } from 'vitest';
import { eventKey } from '../src/store/records.ts';
import { createLease } from '../src/webhooks/lease.ts';

const open = () => {
  let time = Date.now();
  const now = () => time;
  const store = openMemoryAdapter({ now });
  return {
    pass(ms: number): void {
      time += ms;
    },
    store,
    lease: () => createLease({ store, name: 'crm', now }),
  };
};

it('one process at a time holds a webhook', async () => {
  const { lease } = open();
  const leases = Array.from({ length: 10 }, () => lease());
  const held = (await Promise.all(leases.map((each) => each.take()))).filter((state) => state !== undefined);
  expect(held).toHaveLength(1);
});

it('a process that was suspended changes nothing after another has taken over', async () => {
  const { lease, pass } = open();
  const [one, other] = [lease(), lease()];
  const state = await one.take();
  if (state === undefined) throw new Error('not held');
  pass(20_000);
  expect(await one.renew()).toBe(true);
  expect(await other.take()).toBeUndefined();
  pass(50_000);
  const taken = await other.take();
  expect(taken).toBeDefined();
  expect(await one.save({ ...state, doneThrough: 1 })).toBe(false);
  expect(await one.renew()).toBe(false);
  await one.release();
  expect(await other.renew()).toBe(true);
});

it('a process whose clock is late changes nothing after another has taken over', async () => {
  const { lease, store } = open();
  const [one, other] = [lease(), lease()];
  const state = await one.take();
  if (state === undefined) throw new Error('not held');
  // To the other process the lease has expired, while the fence is still valid for this one.
  await store.commit([{ type: 'remove', key: eventKey('webhook:crm:lease') }]);
  expect(await other.take()).toBeDefined();
  expect(await one.save({ ...state, doneThrough: 1 })).toBe(false);
});

it('a process takes over at once when the webhook was released, and gets its state', async () => {
  const { lease } = open();
  const [one, other] = [lease(), lease()];
  const state = await one.take();
  if (state === undefined) throw new Error('not held');
  await one.save({ ...state, doneThrough: 17 });
  await one.release();
  expect(await other.take()).toMatchObject({ doneThrough: 17 });
});
