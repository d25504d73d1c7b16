import type { Route } from '../http/types.ts';
import { type ClientDependencies, clientRoutes } from './client-routes.ts';
import { type HealthDependencies, healthRoutes } from './health-routes.ts';
import { type KeyDependencies, keyRoutes } from './key-routes.ts';
import { type MetricsDependencies, metricsRoutes } from './metrics-routes.ts';
import { type RegistrationTokenDependencies, registrationTokenRoutes } from './registration-token-routes.ts';
import { type SessionDependencies, sessionRoutes } from './session-routes.ts';
import { type TokenDependencies, tokenRoutes } from './token-routes.ts';
import { type TrustedIssuerDependencies, trustedIssuerRoutes } from './trusted-issuer-routes.ts';

export interface AdminDependencies
  extends ClientDependencies,
    RegistrationTokenDependencies,
    Omit<TokenDependencies, 'clients'>,
    KeyDependencies,
    TrustedIssuerDependencies,
    SessionDependencies,
    HealthDependencies,
    MetricsDependencies {
  readonly clients: ClientDependencies['clients'] & TokenDependencies['clients'];
}

/** The route table of the admin API: clients, introspection, sessions, consents, keys, health. Served without `/admin` too, by the router. */
export const adminRoutes = (deps: AdminDependencies): readonly Route[] => [
  ...clientRoutes(deps),
  ...registrationTokenRoutes(deps),
  ...tokenRoutes(deps),
  ...sessionRoutes(deps),
  ...keyRoutes(deps),
  ...trustedIssuerRoutes(deps),
  ...healthRoutes(deps, '/admin'),
  ...metricsRoutes(deps),
];
