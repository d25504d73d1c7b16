import { expect, it } from 'vitest';
import { createFetchShares } from './fetch-shares.ts';

const open = () => {
  const caller: { network: string | undefined } = { network: undefined };
  const take = createFetchShares({ perMinute: 60, callerNetwork: () => caller.network, now: () => 0 });
  /** How many of so many requests of a network for documents of a host are allowed. */
  const allowed = (network: string | undefined, host: string, count = 60): number => {
    caller.network = network;
    const limits = Array.from({ length: count }, (_, index) => take(`https://${host}/${index}`));
    return limits.filter((limit) => limit === undefined).length;
  };
  return { allowed };
};

it('one network gets a twelfth of the fetches at one host, and a sixth at all hosts', () => {
  const { allowed } = open();
  expect(['one', 'two', 'three'].map((host) => allowed('a', host, 5))).toEqual([5, 5, 0]);
});

it('two networks leave most of the share of a host to the others', () => {
  const { allowed } = open();
  expect([allowed('a', 'one'), allowed('b', 'one')]).toEqual([5, 5]);
  expect(['c', 'd', 'e'].map((network) => allowed(network, 'one', 5))).toEqual([5, 5, 0]);
  expect(allowed('e', 'two', 5)).toBe(5);
});

it('callers without a network share the fetches of the host', () => {
  const { allowed } = open();
  expect([allowed(undefined, 'one'), allowed(undefined, 'two')]).toEqual([20, 20]);
});
