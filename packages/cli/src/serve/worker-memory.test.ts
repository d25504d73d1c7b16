import { expect, test } from 'vitest';
import { workerStartOf } from './worker-memory.ts';

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
    '--heap-growing-percent=40',
  ]);
});
