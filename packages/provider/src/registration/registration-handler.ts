import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeHandler } from '../http/router.ts';
import { registrationPath } from './registration-routes.ts';

const prefix = `${registrationPath}/`;

/** The route of registration at a path below the issuer. */
export const registrationRouteOf = (path: string): string | undefined => {
  if (path === registrationPath) return path;
  return path.startsWith(prefix) && !path.slice(prefix.length).includes('/') ? `${prefix}:id` : undefined;
};

/**
 * A page of any origin may register and manage clients. Safe because no response depends on the user of the browser: no cookie
 * is read, and browsers send none, because Access-Control-Allow-Credentials is never set. A page needs the same bearer token
 * as any other program, and where registration is open it gets the same response.
 */
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

/** Answers pages of other origins too (CORS), while registration is enabled. */
export const createRegistrationHandler =
  (handle: NodeHandler, { enabled }: { readonly enabled: boolean }) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (enabled && req.headers.origin !== undefined) {
      if (req.method === 'OPTIONS') {
        res.writeHead(204, preflight).end();
        return;
      }
      for (const [name, value] of Object.entries(crossOrigin)) res.setHeader(name, value);
    }
    await handle(req, res);
  };
