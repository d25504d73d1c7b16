import type { IncomingMessage, ServerResponse } from 'node:http';
import findMyWay from 'find-my-way';
import { CarnetError } from '../errors.ts';
import { parsedForm, readBody } from './read-body.ts';
import { createRequestIds } from './request-id.ts';
import { type CompleteResponse, completeResponse, renderError, securityHeaders, sendResponse } from './response.ts';
import { parseJson } from './strict-json.ts';
import type { HttpRequest, HttpResponse, Method, ResponseHeaders, Route } from './types.ts';

/** The request target's path and query. In the absolute form (`GET http://host/path`) the host was checked before. */
const parseTarget = (target: string) => {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, search: '' } : { path: local.slice(0, mark), search: local.slice(mark + 1) };
};

const maxBodyBytes = 262_144;

const createRequest = (message: IncomingMessage, search: string, own: Pick<HttpRequest, 'params' | 'requestId'>) => {
  let read: Promise<Buffer> | undefined;
  const body = (): Promise<Buffer> => {
    read ??= readBody(message, maxBodyBytes);
    return read;
  };
  return {
    ...own,
    method: message.method as string,
    query: new URLSearchParams(search),
    headers: message.headers,
    address: message.socket?.remoteAddress,
    body,
    json: async () => parseJson(await body(), { maxBytes: maxBodyBytes }),
    form: async () => parsedForm(message) ?? new URLSearchParams((await body()).toString()),
  };
};

type SharedRoute = Pick<Route, 'method' | 'path' | 'isOpen' | 'audit'>;

interface Match {
  readonly route: SharedRoute | undefined;
  readonly handle?: Route['handle'];
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

const createTable = (routes: readonly SharedRoute[]) => {
  const table = findMyWay({ ignoreTrailingSlash: true, maxParamLength, querystringParser: () => noParams });
  for (const [index, route] of routes.entries()) table.on(route.method, route.path, () => undefined, { index, route });
  return table;
};

/** Issuers have the same routes, apart from those of features: they share a table of 200 KB, and keep their handlers only. */
const tables = new Map<string, ReturnType<typeof createTable>>();

/**
 * Finds the route of a path. Ignores a trailing slash, never throws for an invalid encoding, and treats HEAD as GET.
 */
export const createMatcher = (routes: readonly Route[]): ((method: string, path: string) => Match) => {
  const shared = routes.map(({ method, path, isOpen, audit }): SharedRoute => ({ method, path, isOpen, audit }));
  const handlers = routes.map(({ handle }) => handle);
  const key = JSON.stringify(shared);
  const table = tables.get(key) ?? createTable(shared);
  tables.set(key, table);
  return (method, path) => {
    const found = table.find((method === 'HEAD' ? 'GET' : method) as Method, path);
    if (found !== null) {
      const { index, route } = found.store;
      return { route, handle: handlers[index], params: found.params as Match['params'], allow: [] };
    }
    const allow = methods.filter((other) => table.find(other, path) !== null);
    return { route: undefined, params: noParams, allow: allow.includes('GET') ? [...allow, 'HEAD'] : allow };
  };
};

/** The outcome of a request, for logs and metrics. */
export interface Answer {
  readonly method: string;
  /** The path of the route, such as `/clients/:id`. Undefined if no route matched. */
  readonly route: string | undefined;
  /** The values of the `:name` segments of the route. */
  readonly params: HttpRequest['params'];
  readonly query: URLSearchParams;
  readonly audit: Route['audit'];
  readonly status: number;
  readonly requestId: string;
  readonly durationMs: number;
  /** The warnings of the response. Absent if there are none. */
  readonly warnings?: readonly string[];
  /** The error that the handler threw. Never shown to the client. */
  readonly error?: unknown;
}

export interface RouterOptions {
  readonly routes: readonly Route[];
  /** Called before the handler of a route that is not open, and for unknown paths. It throws to refuse the request. */
  readonly authorize?: (request: HttpRequest, route: SharedRoute | undefined) => void;
  /** The headers of every response. Headers of a response override them. Default: `securityHeaders`. */
  readonly responseHeaders?: (method: string) => ResponseHeaders;
  readonly requestId?: () => string;
  /** Serve `/admin/clients` also as `/clients`, the form of Hydra before version 2. Default false. */
  readonly alsoWithoutAdminPrefix?: boolean;
  /** Wraps the handling of a request to a route: runs it in a span. */
  readonly around?: (
    request: HttpRequest,
    route: string | undefined,
    answer: () => Promise<HttpResponse>,
  ) => Promise<HttpResponse>;
  readonly onAnswer?: (answer: Answer) => void;
}

/** Resolves when the response is written. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const refusal = (match: Match): CarnetError =>
  match.allow.length > 0
    ? new CarnetError('method_not_allowed', `This path answers ${match.allow.join(', ')}.`)
    : new CarnetError('not_found', 'There is nothing at this path.');

/**
 * Answers requests by a table of routes, and passes each response to `send`. It ignores trailing slashes and answers HEAD
 * like GET without a body.
 */
export type AnswerRoutes = (
  message: IncomingMessage,
  requestId: string,
  send: (response: CompleteResponse) => void,
) => Promise<void>;

export const createRoutes = (options: Omit<RouterOptions, 'requestId'>): AnswerRoutes => {
  const { authorize, onAnswer, around = (_request, _route, answer) => answer() } = options;
  const { responseHeaders = () => securityHeaders } = options;
  const unprefixed = options.alsoWithoutAdminPrefix === true ? routesWithoutAdminPrefix(options.routes) : [];
  const match = createMatcher([...options.routes, ...unprefixed]);

  // Without `async`: each additional promise costs measurable time.
  const answer = (request: HttpRequest, matched: Match): Promise<HttpResponse> => {
    if (matched.route?.isOpen !== true) authorize?.(request, matched.route);
    if (matched.handle === undefined) throw refusal(matched);
    return Promise.resolve(matched.handle(request));
  };

  return async (message, requestId, send) => {
    const startedAt = onAnswer === undefined ? 0 : performance.now();
    const target = parseTarget(message.url ?? '/');
    const matched = match(message.method as string, target.path);
    const request = createRequest(message, target.search, { params: matched.params, requestId });
    let result: HttpResponse;
    let thrown: unknown;
    try {
      result = await around(request, matched.route?.path, () => answer(request, matched));
    } catch (error) {
      thrown = error;
      result = renderError(error, requestId);
      if (result.status === 405) result = { ...result, headers: { Allow: matched.allow.join(', ') } };
    }
    const respond = (response: HttpResponse): void => send(completeResponse(response, responseHeaders(request.method)));
    try {
      respond(result);
    } catch (error) {
      // A header that cannot be sent, or a body that is no JSON. No listener awaits this: a rejection would end the process.
      thrown = error;
      result = renderError(error, requestId);
      respond(result);
    }
    onAnswer?.({
      method: request.method,
      route: matched.route?.path,
      params: matched.params,
      query: request.query,
      audit: matched.route?.audit,
      status: result.status,
      requestId,
      durationMs: performance.now() - startedAt,
      warnings: result.warnings,
      error: thrown,
    });
  };
};

/** The same as a node:http handler. */
export const createRouter = ({ requestId = createRequestIds(), ...options }: RouterOptions): NodeHandler => {
  const answer = createRoutes(options);
  return (message, response) => answer(message, requestId(), (complete) => sendResponse(response, complete));
};
