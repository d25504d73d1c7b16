import type { StorageAdapter } from '@carnet/adapter-contract';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { Clock } from '../clock.ts';
import type { ConfigInput } from '../config/config-input.ts';
import type { Config } from '../config/schema.ts';
import { createCookieJar } from '../flow/cookies.ts';
import { createEnvelope } from '../flow/envelope.ts';
import { createFinishedFlows } from '../flow/finished-flows.ts';
import { createFlowTokens } from '../flow/flow-tokens.ts';
import { createKeyRing } from '../flow/key-ring.ts';
import { createLogoutTokens } from '../flow/logout-tokens.ts';
import { createRequestIds } from '../http/request-id.ts';
import { createOutboundClient, type OutboundClient } from '../outbound/outbound-client.ts';
import { bindStores, composeStores, createUndoneBy } from '../storage/compose.ts';
import { assertFits } from '../storage/groups.ts';
import { guardAdapter } from '../storage/guard.ts';
import { type Logger, loggerOfIssuer } from '../telemetry/logger.ts';
import type { ClientCounts } from '../telemetry/readings.ts';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import type { CreateProviderOptions } from './carnet.ts';
import { openConfiguredEvents } from './events.ts';
import { readGivenConfig } from './given-config.ts';
import { openParts, type Shared } from './shared.ts';
import { openKeyVault, openSigningKeys } from './signing-keys.ts';

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

/** Secrets of clients with one id at several issuers are compared in queues of their own. */
const secretsOf = ({ secrets }: Shared, issuerName = ''): SecretVerifier => ({
  verify: (clientId, ...rest) => secrets.verify(`${issuerName} ${clientId}`, ...rest),
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
  counts: () => ClientCounts | undefined,
) => {
  const config = await readGivenConfig(input, options);
  const { issuerName, now = Date.now } = options;
  const shared = options.shared ?? (await openParts(config, { ...options, labelIssuers: false }));
  const ends: (() => unknown)[] = options.shared === undefined ? [shared.close] : [];
  /** Has `end` called by `close`, which calls the last one first. */
  const onClose = (end: () => unknown): void => void ends.push(end);
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    onClose(shared.counts.add(counts));
    const logger = loggerOfIssuer(options.logger ?? shared.logger, issuerName);
    const telemetry = createTelemetry({ logger, tracing: shared.tracing, metrics: shared.metricsOf(issuerName) });
    // The one step that keeps the records of several issuers apart: no part gets the stores themselves.
    const stores = bindStores(shared.stores, issuerName);
    assertFits(stores, config);
    const around = telemetry.store;
    const adapter = guardAdapter(composeStores(stores), { around, health: shared.commitHealth });
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
      shared,
      secrets: secretsOf(shared, issuerName),
      /** Whether commits by `adapter` succeed. */
      commitHealth: shared.commitHealth,
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
