import type { StorageAdapter } from '@carnet/adapter-contract';
import { createSecretVerifier } from '../clients/secret-verifier.ts';
import type { ConfigInput } from '../config/config-input.ts';
import type { Config } from '../config/schema.ts';
import { startDeliveryPoll } from '../sessions/poll-deliveries.ts';
import { createCommitHealth } from '../storage/commit-health.ts';
import { composeStores } from '../storage/compose.ts';
import { guardAdapter } from '../storage/guard.ts';
import { migrateAtStart, openStores } from '../storage/open-storage.ts';
import { startSweeping } from '../storage/sweep.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { openMetrics } from '../telemetry/metrics.ts';
import { createClientCounts } from '../telemetry/readings.ts';
import { createTelemetry } from '../telemetry/telemetry.ts';
import { openTracing } from '../telemetry/tracing.ts';
import { readGivenConfig } from './given-config.ts';

/** All are optional. */
export interface SharedOptions {
  /** Used instead of `storage.default`. The caller closes the adapter. */
  readonly adapter?: StorageAdapter;
  readonly logger?: Logger;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * Creates the provider of an issuer that has none in this process, because notifications of it are due. Undefined: the first
   * issuer. Default: they wait until its provider is created.
   */
  readonly openIssuer?: (issuer: string | undefined) => Promise<unknown>;
}

interface OpenOptions extends SharedOptions {
  /** Whether metrics have the label `issuer`. */
  readonly labelIssuers: boolean;
}

/** Removes expired records of all issuers, in the interval of the configuration. */
const startSweeper = (adapter: StorageAdapter, { storage }: Config, logger: Logger) =>
  startSweeping(adapter, {
    intervalSeconds: storage.sweepSeconds,
    report: (outcome) => {
      if ('error' in outcome) logger.warn({ err: outcome.error }, 'sweep failed');
      else if (outcome.removed > 0) logger.info(outcome, 'sweep');
    },
  });

/** Opens these resources for several providers, or for one. Nothing is left open when it throws. */
export const openParts = async (config: Config, { labelIssuers, openIssuer, ...options }: OpenOptions) => {
  const { logger = createLogger(config.log), now = Date.now } = options;
  const tracing = await openTracing();
  if (config.storage.migrate) {
    const migrations = await migrateAtStart(config.storage, config.dev);
    if (migrations.length > 0) logger.info({ migrations }, 'migrated');
  }
  const { stores, close: closeStores } = await openStores(config.storage, options.adapter);
  const counts = createClientCounts();
  const readings = () => ({ ...counts.total(), sweep: sweeper.stats() });
  const metrics = openMetrics({ byIssuer: labelIssuers, readings });
  const { store: around } = createTelemetry({ logger, tracing, metrics: metrics.of() });
  const adapter = guardAdapter(composeStores(stores), { around });
  const sweeper = startSweeper(adapter, config, logger);
  const pollSeconds = config.logout.backchannelPollSeconds;
  const deliveryPoll = startDeliveryPoll({ adapter, pollSeconds, openIssuer, logger, now });
  return {
    storage: config.storage,
    /** The records of all issuers. */
    stores,
    /** Whether commits to the stores succeed. */
    commitHealth: createCommitHealth(),
    secrets: createSecretVerifier({ maxPending: config.clientSecrets.maxPendingVerifications }),
    ...{ logger, tracing, deliveryPoll, counts },
    sweepStats: sweeper.stats,
    metricsOf: metrics.of,
    /** The metrics of all issuers in this process. */
    metrics: metrics.snapshot,
    /** Close the providers first. */
    close: async (): Promise<void> => {
      sweeper.stop();
      deliveryPoll.stop();
      await closeStores();
    },
  };
};

/** The resources that the providers of one process share: stores, sweep, metrics, and the poll for notifications. */
export type Shared = Awaited<ReturnType<typeof openParts>>;

/**
 * Opens the resources that several providers of one process share, by the configuration of the first issuer.
 *
 * @example
 * ```ts
 * const shared = await openShared(config);
 * const acme = await createProvider({ ...config, issuer: 'https://acme.example.com' }, { shared, issuerName: 'acme' });
 * ```
 * @throws ConfigError with every problem at once; CarnetError `storage_unavailable`
 */
export const openShared = async (input: ConfigInput | Config, options: SharedOptions = {}): Promise<Shared> =>
  openParts(await readGivenConfig(input, options), { ...options, labelIssuers: true });
