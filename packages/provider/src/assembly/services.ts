import { createOutboundClient, type OutboundClient } from '../outbound/outbound-client.ts';
import { createDeliveries, type Deliveries } from '../sessions/deliveries.ts';
import { createLogoutTokenSigner } from '../sessions/logout-token.ts';
import { startSweeping } from '../storage/sweep.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';

/** Requests to others, each measured and logged. */
export const createOutbound = ({ config, telemetry, logger }: Foundation): OutboundClient =>
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

/** Begins to tell clients, and the program, of sessions that have ended. */
export const createSessionDeliveries = (
  base: Foundation,
  { clients, outbound }: Pick<Parts, 'clients' | 'outbound'>,
): Deliveries => {
  const { config, options, adapter, signingKeys, logger, telemetry, now } = base;
  return createDeliveries({
    adapter,
    clients,
    outbound,
    sign: createLogoutTokenSigner({
      issuer: config.issuer,
      alg: config.keys.idTokenAlg,
      keys: () => signingKeys.current(),
      now,
    }),
    onSessionEnd: options.onSessionEnd,
    retries: config.logout.backchannelRetries,
    pollSeconds: config.logout.backchannelPollSeconds,
    timeoutMs: config.outbound.timeoutMs,
    logger,
    audit: telemetry.audit,
    now,
  });
};

/** Removes expired records, in the interval of the configuration. */
export const startSweeper = ({ config, adapter, logger }: Foundation): ReturnType<typeof startSweeping> =>
  startSweeping(adapter, {
    intervalSeconds: config.storage.sweepSeconds,
    report: (outcome) => {
      if ('error' in outcome) logger.warn({ err: outcome.error }, 'sweep failed');
      else if (outcome.removed > 0) logger.info(outcome, 'sweep');
    },
  });
