import { expect, test } from 'vitest';
import { defaults } from './choices/choices.ts';
import { nextSteps } from './next-steps.ts';
import { detectPackageManager } from './package-manager.ts';

test.each([
  ['npm/10.9.3 node/v22.18.0 linux x64 workspaces/false', 'npm'],
  ['pnpm/10.1.0 npm/? node/v24.0.0 linux x64', 'pnpm'],
  ['yarn/4.5.0 npm/? node/v24.0.0 linux x64', 'yarn'],
  ['bun/1.2.0 npm/? node/v24.3.0 linux x64', 'bun'],
  [undefined, 'npm'],
])('the user agent %s is that of %s', (userAgent, expected) => {
  expect(detectPackageManager(userAgent)).toBe(expected);
});

test('the next steps are the commands of the package manager', () => {
  const commands = (text: string) => text.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
  expect(commands(nextSteps(defaults, 'pnpm', false))).toEqual(['cd my-provider', 'pnpm install', 'pnpm start']);
  expect(commands(nextSteps({ ...defaults, folder: '.', framework: 'next' }, 'bun', true))).toEqual(['bun run dev']);
  expect(commands(nextSteps({ ...defaults, store: 'postgres' }, 'npm', true))).toEqual([
    'cd my-provider',
    'docker compose up --detach   # Postgres',
    'npm start',
  ]);
});
