import type { Carnet } from '@carnet/provider';
import type { ConsoleServer } from './console-server.ts';

export interface InProcessOptions extends Pick<ConsoleServer, 'issuer' | 'configuration' | 'checks' | 'metrics'> {}

/** Calls the functions of a provider in this process. */
export const createInProcessServer = (carnet: Carnet, options: InProcessOptions): ConsoleServer => {
  const { clients, tokens, sessions, consents, keys, trustedIssuers, registrationTokens, users, groups, events } =
    carnet;
  return {
    ...{ clients, tokens, sessions, consents, keys, trustedIssuers, registrationTokens, users, groups, events },
    fetch: carnet.fetch,
    ready: carnet.ready,
    ...options,
  };
};
