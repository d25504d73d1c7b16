import { expect, test } from 'vitest';
import { workerStartOf } from './worker-memory.ts';

test('workers keep the options of their primary, and less memory', () => {
  expect(workerStartOf({}, ['--conditions=@carnet/source'])).toEqual({
    execArgv: ['--conditions=@carnet/source', '--max-semi-space-size=2'],
    env: { MALLOC_ARENA_MAX: '1' },
  });
});

test('what the operator has set stands', () => {
  expect(workerStartOf({ NODE_OPTIONS: '--max-semi-space-size=32', MALLOC_ARENA_MAX: '8' }, [])).toEqual({
    execArgv: [],
    env: { MALLOC_ARENA_MAX: '8' },
  });
  expect(workerStartOf({}, ['--max-semi-space-size=64']).execArgv).toEqual(['--max-semi-space-size=64']);
});
