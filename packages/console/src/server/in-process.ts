import type { Carnet } from '@carnet/provider';
import { renderMetrics } from '@carnet/provider/server';
import type { ConsoleServer, LocalFunctions } from './console-server.ts';

export interface InProcessOptions extends LocalFunctions, Pick<ConsoleServer, 'issuer'> {
  /** Default: the metrics of this process. */
  readonly metrics?: ConsoleServer['metrics'] | undefined;
}

/** Calls the functions of a provider in this process. */
export const createInProcessServer = (
  carnet: Carnet,
  { metrics = async () => renderMetrics([await carnet.metrics()]), ...options }: InProcessOptions,
): ConsoleServer => {
  const { clients, tokens, sessions, consents, keys, trustedIssuers, registrationTokens } = carnet;
  const { users, groups, events, accounts, fetch, ready } = carnet;
  return {
    ...{ clients, tokens, sessions, consents, keys, trustedIssuers, registrationTokens },
    ...{ users, groups, events, fetch, ready, metrics },
    account: accounts && ((subject) => accounts.account.show({ subject })),
    ...options,
  };
};
