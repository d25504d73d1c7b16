import type { PageRoute } from '../../page/route.ts';
import { listEvents } from './list.ts';
import { showLive, streamEvents } from './live.ts';
import { liveScript } from './live-script.ts';

const headers = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' };

export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/events', role: 'viewer', answer: listEvents },
  { method: 'GET', path: '/events/live', role: 'viewer', answer: showLive },
  { method: 'GET', path: '/events/live.js', role: 'viewer', answer: async () => new Response(liveScript, { headers }) },
  { method: 'GET', path: '/events/stream', role: 'viewer', answer: streamEvents },
];
