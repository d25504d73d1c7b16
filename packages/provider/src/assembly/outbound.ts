import { createOutboundClient, type OutboundClient } from '../outbound/outbound-client.ts';
import type { Foundation } from './foundation.ts';

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
