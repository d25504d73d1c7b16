import { html } from '../../page/html.ts';
import { type PageRoute, page } from '../../page/route.ts';

export const routes: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/',
    role: 'viewer',
    answer: async ({ server }) => page('Overview', html`<p>${server.issuer}</p>`),
  },
];
