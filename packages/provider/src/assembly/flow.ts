import { createCookieJar } from '../flow/cookies.ts';
import { createEnvelope } from '../flow/envelope.ts';
import { createFinishedFlows } from '../flow/finished-flows.ts';
import { createFlowTokens } from '../flow/flow-tokens.ts';
import { createKeyRing } from '../flow/key-ring.ts';
import { createLogoutTokens } from '../flow/logout-tokens.ts';
import type { Foundation } from './foundation.ts';

/** The parts that seal and open flow states and bind them to a browser. */
export const createFlow = ({ config, adapter, now }: Pick<Foundation, 'config' | 'adapter' | 'now'>) => {
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

export type Flow = ReturnType<typeof createFlow>;
