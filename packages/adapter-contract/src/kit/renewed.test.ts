import { expect, test } from 'vitest';
import { createRenewed } from './renewed.ts';

/** A server whose value, or failure, a test sets, and a clock. */
const open = (isValid?: (value: number) => boolean) => {
  const server: { value: number | undefined; reads: number; now: number } = { value: 1, reads: 0, now: 0 };
  const read = async (): Promise<number> => {
    server.reads += 1;
    if (server.value === undefined) throw new Error('outage');
    return server.value;
  };
  const options = { read, freshMs: 100, pauseMs: 10, now: () => server.now };
  return { server, renewed: createRenewed({ ...options, ...(isValid && { isValid }) }) };
};

test('calls at the same time share one read, and the value is used while it is fresh', async () => {
  const { server, renewed } = open();
  expect(renewed.latest()).toBeUndefined();
  expect(await Promise.all([renewed.current(), renewed.current(), renewed.renew()])).toEqual([1, 1, 1]);
  server.now = 99;
  expect(await renewed.current()).toBe(1);
  expect(server.reads).toBe(1);
});

test('a value that is no longer fresh is used until the new one is there, also in an outage', async () => {
  const { server, renewed } = open();
  await renewed.current();
  Object.assign(server, { value: undefined, now: 100 });
  expect(await renewed.current()).toBe(1);
  expect(await renewed.current()).toBe(1);
  await expect(renewed.renew()).rejects.toThrow('outage');
  // The failed read is repeated after the pause only.
  const { reads } = server;
  expect(await renewed.current()).toBe(1);
  expect(server.reads).toBe(reads);
  Object.assign(server, { value: 2, now: 120 });
  await renewed.current();
  expect(await renewed.renew()).toBe(2);
  expect(renewed.latest()).toBe(2);
});

test('a value that is not valid any more is not used, and without a value the failure is thrown', async () => {
  const { server, renewed } = open((value) => value > 1);
  expect(await renewed.current()).toBe(1);
  server.value = 2;
  expect(await renewed.current()).toBe(2);
  const down = open();
  down.server.value = undefined;
  await expect(down.renewed.current()).rejects.toThrow('outage');
});
