import { hydraKeys } from './hydra/hydra-keys.ts';
import { variables } from './variables.ts';

/** Variables that Carnet does not read, and the keys that they set: in an earlier version, or in Ory Hydra. */

export const formerVariables: Readonly<Record<string, string>> = {
  BCRYPT_COST: 'clientSecrets.bcryptCost',
  CLIENTS_BCRYPT_COST: 'clientSecrets.bcryptCost',
  CLIENTS_MAX_PENDING_VERIFICATIONS: 'clientSecrets.maxPendingVerifications',
  CLIENTS_CACHE_ENTRIES: 'clientCache.entries',
  CLIENTS_CACHE_SECONDS: 'clientCache.seconds',
};

/** The variable of a key of Hydra: `urls.self.issuer` -> `URLS_SELF_ISSUER`. */
export const hydraVariableOf = (key: string): string => key.toUpperCase().replaceAll('.', '_');

/** The variables of Hydra that Carnet does not have, and the keys that they set. DEV is a variable of many programs. */
export const hydraVariables: Readonly<Record<string, string>> = Object.fromEntries(
  hydraKeys.flatMap(({ key, to }) => {
    const name = hydraVariableOf(key);
    const isOurs = name === 'DEV' || variables.some((variable) => variable.name === name);
    return to === undefined || isOurs ? [] : [[name, to]];
  }),
);

/**
 * Whether Kubernetes or Docker has set a variable for a service: `CARNET_PORT=tcp://10.0.0.1:4444`, `CARNET_SERVICE_HOST`,
 * `CARNET_PORT_4444_TCP_ADDR`. A service named `admin` has `ADMIN_PORT`.
 */
export const isServiceLink = (name: string, value: string | undefined): boolean =>
  /_SERVICE_(?:HOST|PORT)(?:_\w+)?$/.test(name) ||
  /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value ?? ''));
