import type { PageRoute } from '../../page/route.ts';
import { changeRoutes } from './changes.ts';
import { listUsers } from './list.ts';
import { showUser } from './show.ts';

export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/users', role: 'viewer', answer: listUsers },
  { method: 'GET', path: '/users/:subject', role: 'viewer', answer: showUser },
  ...changeRoutes,
];
