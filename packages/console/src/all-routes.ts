import type { FigureSource } from './charts/figure-source.ts';
import type { PageRoute } from './page/route.ts';
import { routes as clients } from './pages/clients/clients.ts';
import { routes as configuration } from './pages/configuration/configuration.ts';
import { routes as events } from './pages/events/events.ts';
import { routes as keys } from './pages/keys/keys.ts';
import { createOverviewRoutes } from './pages/overview/overview.ts';
import { routes as refusals } from './pages/refusals/refusals.ts';
import { routes as sessions } from './pages/sessions/sessions.ts';
import { routes as users } from './pages/users/users.ts';
import { routes as webhooks } from './pages/webhooks/webhooks.ts';

/** The routes of all pages, one line for each folder of `pages/`. */
export const allRoutes = (figures: FigureSource): readonly PageRoute[] => [
  ...createOverviewRoutes(figures),
  ...clients,
  ...users,
  ...sessions,
  ...keys,
  ...configuration,
  ...events,
  ...webhooks,
  ...refusals,
];
