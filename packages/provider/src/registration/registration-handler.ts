import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeHandler } from '../http/router.ts';
import { registrationPath } from './registration-routes.ts';

const prefix = `${registrationPath}/`;

/** The route of registration at a path below the issuer. */
export const registrationRouteOf = (path: string): string | undefined => {
  if (path === registrationPath) return path;
  return path.startsWith(prefix) && !path.slice(prefix.length).includes('/') ? `${prefix}:id` : undefined;
};

/** What a page of another origin may do. Safe for all of them because it takes a token that only its owner has. */
const crossOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
} as const;

const preflight = {
  ...crossOrigin,
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
  'Access-Control-Allow-Headers': 'authorization, content-type',
  'Access-Control-Max-Age': '3600',
} as const;

/** Where everybody may register, a page in somebody's browser may not: it would reach servers that its author can't. */
export const createRegistrationHandler =
  (handle: NodeHandler, { enabled, access }: { readonly enabled: boolean; readonly access: 'open' | 'token' }) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '').split('?', 1)[0];
    const takesToken = enabled && (access === 'token' || path !== registrationPath);
    if (takesToken && req.headers.origin !== undefined) {
      if (req.method === 'OPTIONS') {
        res.writeHead(204, preflight).end();
        return;
      }
      for (const [name, value] of Object.entries(crossOrigin)) res.setHeader(name, value);
    }
    await handle(req, res);
  };
