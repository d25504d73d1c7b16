import type { ClientStore } from '../clients/client-store.ts';
import { createDeliveries, type Deliveries } from '../sessions/deliveries.ts';
import { createLogoutTokenSigner } from '../sessions/logout-token.ts';
import { startSweeping } from '../storage/sweep.ts';
import type { Foundation } from './foundation.ts';

/** Begins to notify clients, and the program, of sessions that have ended. */
export const createSessionDeliveries = (base: Foundation, clients: ClientStore): Deliveries => {
  const { config, options, adapter, outbound, signingKeys, logger, telemetry, now } = base;
  const deliveries = createDeliveries({
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
  base.onClose(deliveries.stop);
  return deliveries;
};

/** Removes expired records, in the interval of the configuration. */
export const startSweeper = ({ config, adapter, logger, onClose }: Foundation): ReturnType<typeof startSweeping> => {
  const sweeper = startSweeping(adapter, {
    intervalSeconds: config.storage.sweepSeconds,
    report: (outcome) => {
      if ('error' in outcome) logger.warn({ err: outcome.error }, 'sweep failed');
      else if (outcome.removed > 0) logger.info(outcome, 'sweep');
    },
  });
  onClose(sweeper.stop);
  return sweeper;
};
