import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `npm run test:release`: the packages as a user gets them, from a registry and outside of the workspace. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { conditions: ['@carnet/source'] },
  ssr: { resolve: { conditions: ['@carnet/source'] } },
  test: {
    include: ['test/release/**/*.test.ts'],
    globalSetup: 'test/release/global-setup.ts',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
