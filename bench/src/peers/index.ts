import { login, loginMounted } from '../scenarios/logins.ts';
import { startCarnetTarget } from '../targets/carnet.ts';
import { startMountedTarget } from '../targets/mounted.ts';
import { betterAuthLogins } from './better-auth/login.ts';
import { startBetterAuth } from './better-auth/start.ts';
import { carnetWithPasswords } from './carnet/passwords.ts';
import { startHydra } from './hydra/start.ts';
import { keycloakLogins } from './keycloak/login.ts';
import { startKeycloak } from './keycloak/start.ts';
import { oidcProviderPeers } from './oidc-provider/start.ts';
import type { Peer } from './peer.ts';

/** The first server: the others are compared with it. */
export const carnet: Peer = {
  name: 'carnet',
  start: ({ workers }) => startCarnetTarget({ store: 'postgres', workers }),
  logins: [{ ...login, name: 'carnet', password: 'none' }],
};

/** All others that the study `peers` knows. */
export const peers: readonly Peer[] = [
  {
    name: 'carnet-mounted',
    start: () => startMountedTarget('postgres'),
    logins: [{ ...loginMounted, name: 'carnet-mounted', password: 'none' }],
  },
  carnetWithPasswords,
  { name: 'hydra', start: startHydra, logins: [{ ...login, name: 'hydra', password: 'none' }] },
  { name: 'keycloak', start: startKeycloak, logins: keycloakLogins },
  ...oidcProviderPeers,
  { name: 'better-auth', start: startBetterAuth, logins: betterAuthLogins },
];
