import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hasProgram } from './test/servers/src/executables.ts';

/**
 * The MCP SDK needs eventsource-parser, which publishes TypeScript under the condition `source`. Node does not run that in
 * node_modules, so vite compiles these.
 */
const compiled = ['@modelcontextprotocol/sdk', 'eventsource', 'eventsource-parser'];

/** The SDK names source maps of files that it does not publish: vite would warn of each. */
const withoutSourceMaps = {
  name: 'without-source-maps',
  load: (id: string) =>
    id.includes('/@modelcontextprotocol/sdk/') && id.endsWith('.js')
      ? readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
      : undefined,
};

/** The threats of docs/concepts/security.md, D1 to D16: `vitest run --tagsFilter D4` runs the tests of one. */
const threats = Array.from({ length: 16 }, (_, index) => ({
  name: `D${index + 1}`,
  description: `docs/concepts/security.md, D${index + 1}`,
}));

/** Otherwise the large files are first, and the journeys in browsers, which are small files and take longest, last. */
class BrowsersFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const isJourney = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/browser/');
    const sorted = await super.sort(specifications);
    return [...sorted.filter(isJourney), ...sorted.filter((each) => !isJourney(each))];
  }
}

const files = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'test/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'examples/**/*.test.ts',
  'site/src/**/*.test.ts',
];

/** `scripts/test/programs.mjs` installs MariaDB, or says that these are skipped. */
const needsMariadb = hasProgram('mariadbd') ? [] : ['packages/adapter-mysql/test/**'];

/** `npm run test:release` runs these, with packed packages. */
const never = [...configDefaults.exclude, 'test/release/**', ...needsMariadb];

/**
 * Tests that kill servers, wait for outages, or need a cloud's stand-in, a hardware module or a cluster: `npm run test:all`
 * runs them, `npm test` does not.
 */
const slow = '**/*.slow.test.ts';

/** Files that look at their whole process, or change it: each needs one of its own. */
const apart = [
  // It counts the sockets of the process.
  'packages/cli/src/listener/listener.test.ts',
];

export default defineConfig({
  plugins: [withoutSourceMaps],
  resolve: { conditions: ['@carnet/source'] },
  ssr: { resolve: { conditions: ['@carnet/source'] } },
  test: {
    // Many tests wait for servers: on two cores, two files at once take about half of the time that one at a time takes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: BrowsersFirst },
    server: { deps: { inline: compiled } },
    tags: threats,
    // What a test prints on its way is shown where it fails.
    silent: 'passed-only',
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // A busy machine needs long for what takes milliseconds: the limit is for what never comes.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      // What a file imports is loaded once in each worker, not once for each file: that saves two thirds of the processor's time.
      {
        extends: true,
        test: {
          name: 'quick',
          include: files,
          exclude: [...never, slow, ...apart],
          isolate: false,
          // A fifth of the generated requests: `generated.slow.test.ts` sends all.
          env: { CARNET_TEST_TIMES: '0.2' },
        },
      },
      { extends: true, test: { name: 'apart', include: apart, exclude: never } },
      { extends: true, test: { name: 'slow', include: [slow], exclude: never } },
    ],
  },
});
