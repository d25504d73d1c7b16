import type { Api } from '../api.ts';
import type { Route } from '../http/types.ts';
import type { PageTokens } from './answers.ts';
import { clientRoutes } from './client-routes.ts';
import { type HealthDependencies, healthRoutes } from './health-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { type MetricsDependencies, metricsRoutes } from './metrics-routes.ts';
import { registrationTokenRoutes } from './registration-token-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { trustedIssuerRoutes } from './trusted-issuer-routes.ts';

export interface AdminDependencies extends Omit<Api, 'requests' | 'accounts'>, HealthDependencies, MetricsDependencies {
  readonly pageTokens: PageTokens;
}

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
