import type { ClientStore } from '../clients/client-store.ts';
import { createDeliveries, type Deliveries } from '../sessions/deliveries.ts';
import { createLogoutTokenSigner } from '../sessions/logout-token.ts';
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
  base.onClose(base.shared.deliveryPoll.add(options.issuerName, deliveries.poll));
  return deliveries;
};
