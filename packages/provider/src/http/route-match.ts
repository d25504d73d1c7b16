import findMyWay from 'find-my-way';
import type { Method, Route } from './types.ts';

export interface Match {
  readonly route: Route | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The methods of the path, if the path is known but not with the method of the request. */
  readonly allow: readonly string[];
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The maximum length of a segment, longer than any client id. A path with a longer segment is unknown. */
const maxParamLength = 1024;
const noParams = Object.freeze({});
const adminPrefix = '/admin';

/** The `/admin/...` routes without the prefix, unless another route has that path. */
export const routesWithoutAdminPrefix = (routes: readonly Route[]): readonly Route[] => {
  const known = new Set(routes.map((route) => `${route.method} ${route.path}`));
  return routes
    .filter((route) => route.path.startsWith(`${adminPrefix}/`))
    .map((route) => ({ ...route, path: route.path.slice(adminPrefix.length) }))
    .filter((route) => !known.has(`${route.method} ${route.path}`));
};

/**
 * Finds the route of a path. Ignores a trailing slash, never throws for an invalid encoding, and treats HEAD as GET.
 */
export const createMatcher = (routes: readonly Route[]): ((method: string, path: string) => Match) => {
  const table = findMyWay({ ignoreTrailingSlash: true, maxParamLength, querystringParser: () => noParams });
  for (const route of routes) table.on(route.method, route.path, () => undefined, route);
  return (method, path) => {
    const found = table.find((method === 'HEAD' ? 'GET' : method) as Method, path);
    if (found !== null) {
      return { route: found.store as Route, params: found.params as Record<string, string>, allow: [] };
    }
    const allow = methods.filter((other) => table.find(other, path) !== null);
    return { route: undefined, params: noParams, allow: allow.includes('GET') ? [...allow, 'HEAD'] : allow };
  };
};
