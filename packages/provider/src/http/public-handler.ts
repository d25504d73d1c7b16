import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { CarnetError } from '../errors.ts';
import { misdirected } from './host.ts';
import { type CompleteResponse, completeResponse, renderError, securityHeaders, sendResponse } from './response.ts';

/** The arguments of handlers in Connect, Express and others. For Koa use `koaMiddleware`. */
export type ConnectHandler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;

export interface PublicAnswer {
  readonly method: string;
  /** The pattern of the endpoint. */
  readonly route: string;
  readonly status: number;
  readonly requestId: string;
  readonly durationMs: number;
}

/**
 * Receives the response, before it is sent.
 *
 * @param onSent to be called when it is sent
 */
export type Respond = (response: CompleteResponse, onSent?: () => void) => void;

/** Answers a request. Returns false, and does nothing, if there is nothing of Carnet at its path. */
export type PublicHandler = (message: IncomingMessage, hostHeaders: OutgoingHttpHeaders, respond: Respond) => boolean;

export interface PublicHandlerOptions {
  /** The path of the base URL, such as `/op`, without a slash at the end; `''` for none. */
  readonly basePath: string;
  /**
   * The pattern of the endpoint at a path relative to the base. A path without one is passed to the host application.
   */
  readonly routeOf: (path: string) => string | undefined;
  /** Paths outside of the base that Carnet also answers, with the relative path of each (RFC 8414, section 3.1). */
  readonly aliases?: ReadonlyMap<string, string>;
  readonly isAllowedHost: (request: IncomingMessage) => boolean;
  readonly requestId: () => string;
  /** Answers a request whose `url` is relative to the base. `hostHeaders`: what the host application has set on the response. */
  readonly handle: (
    message: IncomingMessage,
    endpoint: Pick<PublicAnswer, 'route' | 'requestId'> & { readonly hostHeaders: OutgoingHttpHeaders },
  ) => Promise<CompleteResponse>;
  readonly onAnswer: (answer: PublicAnswer) => void;
  /** Called if the handler itself failed, which is a bug. */
  readonly onError: (error: unknown, requestId: string) => void;
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/**
 * The URL relative to the base. Undefined if the URL is not below it. The host application may already have removed the
 * base (Express and koa-mount do, and keep the complete URL in `originalUrl`).
 */
const relativeUrl = (req: IncomingMessage, { basePath, aliases }: PublicHandlerOptions): string | undefined => {
  const url = req.url ?? '/';
  const alias = aliases?.get(pathOf(url));
  if (alias !== undefined) return alias;
  if (basePath === '') return url;
  if (url.startsWith(`${basePath}/`)) return url.slice(basePath.length);
  const { originalUrl } = req as IncomingMessage & { originalUrl?: string };
  return originalUrl?.startsWith(`${basePath}/`) && originalUrl !== url ? url : undefined;
};

/** The response at a path that no endpoint has. */
export const nothingHere: CompleteResponse = completeResponse(
  renderError(new CarnetError('not_found', 'There is nothing at this path.'), ''),
  securityHeaders,
);

/** Wraps the endpoints with the host check, the request id and the log line. */
export const createPublicHandler =
  (options: PublicHandlerOptions): PublicHandler =>
  (message, hostHeaders, respond) => {
    const url = relativeUrl(message, options);
    const route = url === undefined ? undefined : options.routeOf(pathOf(url));
    if (url === undefined || route === undefined) return false;
    if (!options.isAllowedHost(message)) {
      respond(misdirected);
      return true;
    }
    const startedAt = performance.now();
    const requestId = options.requestId();
    const { method = 'GET' } = message;
    const send = (response: CompleteResponse): void =>
      respond(response, () =>
        options.onAnswer({
          method,
          route,
          status: response.status,
          requestId,
          durationMs: performance.now() - startedAt,
        }),
      );
    const fail = (error: unknown): void => {
      options.onError(error, requestId);
      send(completeResponse(renderError(error, requestId), { ...securityHeaders, 'X-Request-Id': requestId }));
    };
    message.url = url;
    options.handle(message, { route, requestId, hostHeaders }).then((response) => {
      try {
        send(response);
      } catch (error) {
        fail(error); // A header that cannot be sent.
      }
    }, fail);
    return true;
  };

/** The handler for servers of Node.js. Other paths are passed to `next`, or answered with 404. */
export const connectHandler =
  (handler: PublicHandler): ConnectHandler =>
  (req, res, next) => {
    const isOurs = handler(req, res.getHeaders(), (response, onSent) => {
      sendResponse(res, response);
      if (onSent) res.on('finish', onSent);
    });
    if (isOurs) return;
    if (next) next();
    else sendResponse(res, nothingHere);
  };

interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: { readonly body?: unknown };
  readonly originalUrl: string;
  respond?: boolean;
}

/** The same handler as a Koa middleware. It passes on a parsed body, and the path that koa-mount has removed. */
export const koaMiddleware =
  (handler: ConnectHandler) =>
  (ctx: KoaContext, next: () => Promise<unknown>): Promise<unknown> => {
    const req = ctx.req as IncomingMessage & { body?: unknown; originalUrl?: string };
    req.originalUrl ??= ctx.originalUrl;
    if (req.body === undefined && ctx.request.body !== undefined) req.body = ctx.request.body;
    return new Promise((resolve, reject) => {
      ctx.res.once('finish', resolve);
      ctx.res.once('close', resolve);
      ctx.respond = false;
      handler(ctx.req, ctx.res, (error) => {
        ctx.respond = true;
        if (error) reject(error);
        else resolve(next());
      });
    });
  };
