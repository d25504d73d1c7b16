import type { Api } from '../api.ts';
import type { Route } from '../http/types.ts';
import type { Paged } from './answers.ts';
import { clientRoutes, registrationTokenRoutes } from './client-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { type HealthDependencies, healthRoutes, type MetricsDependencies, metricsRoutes } from './server-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { trustedIssuerRoutes } from './trusted-issuer-routes.ts';

export type AdminDependencies = Omit<Api, 'requests' | 'accounts' | 'users' | 'groups' | 'events'> &
  Paged &
  HealthDependencies &
  MetricsDependencies;

/** The route table of the admin API: clients, tokens, sessions, consents, keys, health. The router serves it without `/admin`, too. */
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
