import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Console } from './create-console.ts';

/** For node:http and Express: forwards the requests of a path to the console, and all others to `next`. */
export const createNodeHandler = (console: Console, url: URL) => {
  const base = url.pathname.replace(/\/+$/, '');
  // Globals stay: the host program has its own.
  const listener = getRequestListener(console, { hostname: url.hostname, overrideGlobalObjects: false });
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path === base || path.startsWith(`${base}/`)) void listener(request, response);
    else next();
  };
};
