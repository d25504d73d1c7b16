import type { IncomingMessage, ServerResponse } from 'node:http';
import { CarnetError } from '../errors.ts';
import { renderError } from './error-body.ts';
import { refuseHost } from './host.ts';
import { securityHeaders } from './security-headers.ts';
import { sendResponse } from './send-response.ts';

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

export interface RequestedEndpoint {
  readonly route: string;
  readonly requestId: string;
}

export interface PublicHandlerOptions {
  /** The path of the base URL, such as `/op`, without a slash at the end; `''` for none. */
  readonly basePath: string;
  /**
   * The pattern of the endpoint at a path relative to the base. A path without one is passed to the host application.
   */
  readonly routeOf: (path: string) => string | undefined;
  /** Paths outside of the base that Carnet also answers, with the relative path of each (RFC 8414, section 3.1). */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly isAllowedHost: (request: IncomingMessage) => boolean;
  readonly requestId: () => string;
  /** Answers a request whose `url` is relative to the base, with the headers of `setOwnHeaders`. */
  readonly handle: (req: IncomingMessage, res: ServerResponse, endpoint: RequestedEndpoint) => Promise<unknown>;
  readonly onAnswer: (answer: PublicAnswer) => void;
  /** Called if the handler itself failed, which is a bug. */
  readonly onError: (error: unknown, requestId: string) => void;
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/**
 * The URL relative to the base. Undefined if the URL is not below it. The host application may already have removed the
 * base (Express and koa-mount do, and keep the complete URL in `originalUrl`).
 */
const relativeUrl = (req: IncomingMessage, { basePath, aliases = {} }: PublicHandlerOptions): string | undefined => {
  const url = req.url ?? '/';
  const alias = aliases[pathOf(url)];
  if (alias !== undefined) return alias;
  if (basePath === '') return url;
  if (url.startsWith(`${basePath}/`)) return url.slice(basePath.length);
  const { originalUrl } = req as IncomingMessage & { originalUrl?: string };
  return originalUrl?.startsWith(`${basePath}/`) && originalUrl !== url ? url : undefined;
};

/** Wraps the provider's handler with the host check, the request id and the log line. */
export const createPublicHandler =
  (options: PublicHandlerOptions): ConnectHandler =>
  (req, res, next) => {
    const url = relativeUrl(req, options);
    const route = url === undefined ? undefined : options.routeOf(pathOf(url));
    if (url === undefined || route === undefined) {
      if (next) return next();
      const response = renderError(new CarnetError('not_found', 'There is nothing at this path.'), '');
      return sendResponse(res, response, securityHeaders);
    }
    if (!options.isAllowedHost(req)) return refuseHost(res);
    const startedAt = performance.now();
    const requestId = options.requestId();
    const { method = 'GET' } = req;
    res.on('finish', () =>
      options.onAnswer({ method, route, status: res.statusCode, requestId, durationMs: performance.now() - startedAt }),
    );
    req.url = url;
    options.handle(req, res, { route, requestId }).catch((error: unknown) => {
      options.onError(error, requestId);
      sendResponse(res, renderError(error, requestId), { ...securityHeaders, 'X-Request-Id': requestId });
    });
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
