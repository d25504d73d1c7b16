import { expect, test } from 'vitest';
import { collectSooner, workerStartOf } from './worker-memory.ts';

const stored = { source: 'store' } as const;

test('workers keep the options of their primary, and less memory', () => {
  expect(workerStartOf({}, ['--conditions=@carnet/source'], stored)).toEqual({
    execArgv: ['--conditions=@carnet/source', '--max-semi-space-size=4'],
    env: { MALLOC_ARENA_MAX: '1' },
  });
});

test('the settings of the operator are kept', () => {
  expect(workerStartOf({ NODE_OPTIONS: '--max-semi-space-size=32', MALLOC_ARENA_MAX: '8' }, [], stored)).toEqual({
    execArgv: [],
    env: { MALLOC_ARENA_MAX: '8' },
  });
  expect(workerStartOf({}, ['--max-semi-space-size=64'], stored).execArgv).toEqual(['--max-semi-space-size=64']);
});

test('a worker that waits for a signing service has a larger young generation', () => {
  expect(workerStartOf({}, [], { source: 'external' }).execArgv).toEqual(['--max-semi-space-size=16']);
});

test('a worker with several issuers has a larger young generation, and its heap grows more between collections', () => {
  expect(workerStartOf({}, [], { source: 'store', hasIssuers: true }).execArgv).toEqual([
    '--max-semi-space-size=16',
    '--heap-growing-percent=60',
  ]);
});

test('a single process with several issuers collects garbage as late as such a worker', () => {
  const flags: string[] = [];
  const set = (flag: string): void => void flags.push(flag);
  collectSooner({}, false, set);
  collectSooner({}, true, set);
  collectSooner({ NODE_OPTIONS: '--max-semi-space-size=32' }, true, set);
  expect(flags).toEqual(['--heap-growing-percent=10', '--heap-growing-percent=60']);
});
