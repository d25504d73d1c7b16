import type { StorageAdapter } from '@carnet/adapter-contract';
import { ConfigError, redactUrl } from '@carnet/provider/config';
import { assertFits, closeAll, type OpenedStores, openMigrators, openStores } from '@carnet/provider/storage';
import { explain } from '../explain.ts';
import { type Check, type CheckContext, type Finding, fail, ok, warn } from './check.ts';

const slowMs = 10;
const samples = 7;

const problemsIn = (error: unknown): readonly string[] =>
  error instanceof ConfigError ? error.problems : [explain(error)];

/** The median of a few round trips, in milliseconds. */
const roundTripMs = async (adapter: StorageAdapter): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < samples; i++) {
    const startedAt = performance.now();
    await adapter.ping();
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(samples / 2)] ?? 0;
};

const checkSchemas = async ({ config }: CheckContext): Promise<Finding[]> => {
  const migrators = await openMigrators(config.storage);
  try {
    const found: Finding[] = [];
    for (const [url, migrator] of migrators) {
      const missing = (await migrator.status()).filter(({ appliedAt }) => appliedAt === null);
      if (missing.length === 0) continue;
      const names = missing.map(({ name }) => name).join(', ');
      found.push(fail(`${redactUrl(url)} lacks ${names}`, 'Run `carnet migrate up`.'));
    }
    return found;
  } finally {
    await closeAll(migrators);
  }
};

const checkOpened = async ({ stores }: OpenedStores, { config }: CheckContext): Promise<Finding[]> => {
  assertFits(stores, config);
  const found: Finding[] = [];
  const seen = new Set(Object.values(stores));
  for (const adapter of seen) {
    const medianMs = await roundTripMs(adapter);
    const answers = `answers in ${medianMs < 0.1 ? 'less than 0.1' : medianMs.toFixed(1)} ms`;
    const remedy = 'Reduce the latency to the store: a login waits for it once, a refresh twice.';
    found.push(medianMs > slowMs ? warn(answers, remedy) : ok(answers));
  }
  return found;
};

/** Whether every store answers, has its schema, and is fit for its records. */
export const store: Check = {
  name: 'store',
  run: async (context) => {
    let opened: OpenedStores | undefined;
    try {
      const lacking = await checkSchemas(context);
      if (lacking.length > 0) return lacking;
      opened = await openStores(context.config.storage);
      return await checkOpened(opened, context);
    } catch (error) {
      return problemsIn(error).map((problem) =>
        fail(problem, 'See docs/operate/adapters.md, and the log of the store.'),
      );
    } finally {
      await opened?.close();
    }
  },
};
