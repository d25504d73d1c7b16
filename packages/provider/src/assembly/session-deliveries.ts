import { createDeliveries, type Deliveries } from '../sessions/deliveries.ts';
import { createLogoutTokenSigner } from '../sessions/logout-token.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';

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
