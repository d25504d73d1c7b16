import { expect, it } from 'vitest';
import { type Command, parseCommand } from './command-line.ts';
import { expectedSeconds } from './expected-seconds.ts';

const of = (...args: readonly string[]): number => expectedSeconds(parseCommand(args) as Command);

it('a run without options takes fourteen minutes at most', () => {
  expect(of()).toBeGreaterThan(3 * 60);
  expect(of()).toBeLessThan(14 * 60);
});

it('a run takes longer on more stores, in more rounds, and shorter where less is asked', () => {
  expect(of('jwks', '--store', 'memory,redis')).toBeGreaterThan(1.5 * of('jwks'));
  expect(of('--rounds', '10')).toBeGreaterThan(1.4 * of());
  expect(of('--quick')).toBeLessThan(of() / 2);
  expect(of('jwks', '--rate', '100')).toBeGreaterThan(100);
});

it('a run beside another server is expected to take as long as beside Ory Hydra', () => {
  const beside = of('login', 'introspection', '--target', 'hydra=http://127.0.0.1:1,http://127.0.0.1:2');
  // Five times as slow as Carnet, but a round takes eight seconds at most.
  expect(beside).toBeGreaterThan(2.9 * of('login', 'introspection'));
});
