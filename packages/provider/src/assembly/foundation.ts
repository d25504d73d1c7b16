import type { StorageAdapter } from '@carnet/adapter-contract';
import { loadAccountsModule } from '../accounts/open-accounts.ts';
import type { Clock } from '../clock.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { parseConfig } from '../config/parse-config.ts';
import { layoutWith } from '../config/rule.ts';
import type { Config } from '../config/schema.ts';
import { createCookieJar } from '../flow/cookies.ts';
import { createEnvelope } from '../flow/envelope.ts';
import { createFinishedFlows } from '../flow/finished-flows.ts';
import { createFlowTokens } from '../flow/flow-tokens.ts';
import { createKeyRing } from '../flow/key-ring.ts';
import { createLogoutTokens } from '../flow/logout-tokens.ts';
import { createRequestIds } from '../http/request-id.ts';
import { signerUrlsOf } from '../keys/config.ts';
import { ownSigners } from '../keys/remote/open-signers.ts';
import { createOutboundClient, type OutboundClient } from '../outbound/outbound-client.ts';
import { createCommitHealth } from '../storage/commit-health.ts';
import { composeStores, createUndoneBy } from '../storage/compose.ts';
import { assertFits } from '../storage/groups.ts';
import { guardAdapter } from '../storage/guard.ts';
import { migrateAtStart, openStores } from '../storage/open-storage.ts';
import { createLogger, type Logger } from '../telemetry/logger.ts';
import { createTelemetry, type Telemetry, type TelemetryOptions } from '../telemetry/telemetry.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { CreateProviderOptions } from './carnet.ts';
import { loadEventsModule, openConfiguredEvents } from './events.ts';
import { openKeyVault, openSigningKeys } from './signing-keys.ts';

/**
 * The configuration of a program, with the parts that it passes: it need not configure `storage.default`, `keys.source` and
 * `keys.sealedBy` for them. URLs of further signers are kept.
 */
const withOwnParts = (
  input: ConfigInput | Config,
  { adapter, signers = [], keyWrapper }: CreateProviderOptions,
): ConfigInput => {
  let own = input as ConfigInput;
  if (adapter) own = { ...own, storage: { ...own.storage, default: 'adapter:' } };
  if (keyWrapper) own = { ...own, keys: { ...own.keys, sealedBy: ownSigners } };
  if (signers.length > 0) {
    const { source = 'external', signer } = own.keys ?? {};
    const others = signerUrlsOf({ signer: signer as Config['keys']['signer'] }).filter((url) => url !== ownSigners);
    own = { ...own, keys: { ...own.keys, source, signer: [ownSigners, ...others] } };
  }
  return own;
};

/** Optional packages are loaded only for a configuration with their sections. */
const layoutOf = async ({ accounts, events }: ConfigInput | Config) =>
  layoutWith({
    accounts: accounts && (await loadAccountsModule()),
    events: events && (await loadEventsModule()),
  });

/** The parts of the foundation that others are created with. */
interface Basis extends Clock {
  readonly config: Config;
  readonly adapter: StorageAdapter;
  readonly telemetry: Telemetry;
  readonly logger: Logger;
}

/** The parts that seal and open flow states and bind them to a browser. */
const createFlow = ({ config, adapter, now }: Basis) => {
  const keyRing = createKeyRing({ issuer: config.issuer, secrets: config.secrets.system, now });
  const envelope = createEnvelope(keyRing);
  return {
    keyRing,
    envelope,
    tokens: createFlowTokens({ envelope, adapter, now }),
    logoutTokens: createLogoutTokens(envelope, now),
    jar: createCookieJar({ keys: keyRing, issuer: config.issuer }),
    finished: createFinishedFlows(config.ttl.loginConsentRequest),
  };
};

/** Audit records become events, too. */
const withEvents = (telemetry: Telemetry, record: Telemetry['audit']): Telemetry => ({
  ...telemetry,
  audit(event) {
    telemetry.audit(event);
    record(event);
  },
});

/** Requests to others, each measured and logged. */
export const createOutbound = ({ config, telemetry, logger }: Basis): OutboundClient =>
  createOutboundClient({
    ...config.outbound,
    allowLoopback: config.dev,
    hooks: [config.hooks.token.url, config.hooks.refreshToken.url, config.urls.backchannelAuthentication].filter(
      (url) => url !== undefined,
    ),
    report: (outcome) => {
      const { purpose, durationMs, result } = outcome;
      telemetry.metrics.outbound(purpose, durationMs, typeof result === 'string' ? result : undefined);
      logger.info({ outbound: { ...outcome, durationMs: Math.round(durationMs * 10) / 10 } }, 'outbound request');
    },
  });

/**
 * Reads the configuration, and opens the stores and the signing keys that it names. Nothing is left open when it
 * throws.
 *
 * @throws ConfigError with every problem at once; CarnetError `storage_unavailable`
 */
export const openFoundation = async (
  input: ConfigInput | Config,
  options: CreateProviderOptions,
  readings: TelemetryOptions['readings'],
) => {
  const config = parseConfig(withOwnParts(input, options), undefined, await layoutOf(input));
  const { now = Date.now, logger = createLogger(config.log) } = options;
  const telemetry = createTelemetry({ logger, tracing: await openTracing(), readings });
  if (config.storage.migrate) {
    const migrations = await migrateAtStart(config.storage, config.dev);
    if (migrations.length > 0) logger.info({ migrations }, 'migrated');
  }
  const { stores, close: closeStores } = await openStores(config.storage, options.adapter);
  const ends: (() => unknown)[] = [closeStores];
  /** Has `end` called by `close`, which calls the last one first. */
  const onClose = (end: () => unknown): void => void ends.push(end);
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    assertFits(stores, config);
    const commitHealth = createCommitHealth();
    const around = telemetry.store;
    const adapter = guardAdapter(composeStores(stores), { around, health: commitHealth });
    const basis = { config, options, logger, now, telemetry, adapter, onClose };
    const vault = await openKeyVault({ ...basis, keyWrapper: options.keyWrapper, observe: telemetry.metrics.signer });
    const signingKeys = await openSigningKeys({ ...basis, vault });
    const outbound = createOutbound(basis);
    onClose(outbound.close);
    const events = await openConfiguredEvents({ ...basis, outbound });
    if (events !== undefined) onClose(events.close);
    return {
      ...basis,
      telemetry: events === undefined ? telemetry : withEvents(telemetry, events.record),
      events,
      /** Whether commits by `adapter` succeed. */
      commitHealth,
      undoneBy: createUndoneBy(stores),
      /** The store of the clients alone: how long they may be cached depends on who else writes to it. */
      clientAdapter: guardAdapter(stores.clients, { around }),
      /** Seals what is kept of keys. */
      vault,
      signingKeys,
      flow: createFlow(basis),
      outbound,
      requestId: createRequestIds(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The resources that are opened before the other parts are created. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
