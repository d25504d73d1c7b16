import type { PageRoute } from '../../page/route.ts';
import { changeRoutes } from './changes.ts';
import { listConsents } from './consents.ts';
import { listSessions } from './list.ts';

export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/sessions', role: 'viewer', answer: listSessions },
  { method: 'GET', path: '/sessions/consents', role: 'viewer', answer: listConsents },
  ...changeRoutes,
];
