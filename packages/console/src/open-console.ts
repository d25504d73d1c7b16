import { type Context, Hono } from 'hono';
import type { Access } from './access/access.ts';
import { mayAct } from './access/operator.ts';
import type { Language } from './messages/languages.ts';
import { readAssets } from './page/assets.ts';
import { type AuditLogger, createAudit } from './page/audit.ts';
import { createRespond } from './page/respond.ts';
import type { PageContext, PageRoute } from './page/route.ts';
import { securityHeaders } from './page/security-headers.ts';
import { routes as clients } from './pages/clients/clients.ts';
import { routes as overview } from './pages/overview/overview.ts';
import type { ConsoleServer } from './server/console-server.ts';

const allRoutes: readonly PageRoute[] = [...overview, ...clients];

export interface ConsoleParts {
  readonly server: ConsoleServer;
  readonly access: Access;
  readonly logger: AuditLogger & { error(fields: object, message: string): void };
  /** The URL of the console, with its path: `https://admin.example.com/console`. */
  readonly url: URL;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Longer forms are refused. The longest one is pasted: an authorization URL with a request object, or a token. */
const maxFormBytes = 100_000;

const readForm = async (request: Request): Promise<URLSearchParams> => {
  if (request.method === 'GET') return new URLSearchParams();
  const text = await request.text();
  return new URLSearchParams(text.length > maxFormBytes ? '' : text);
};

const createLink =
  (base: string): PageContext['link'] =>
  (path, query = {}) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = new URLSearchParams(given).toString();
    return `${base}${path}${search && `?${search}`}`;
  };

/** The console as one function on Web Requests. */
export const openConsole = async ({ server, access, logger, url, now }: ConsoleParts) => {
  const assets = await readAssets();
  const base = url.pathname.replace(/\/+$/, '');
  const link = createLink(base);
  const pathOf = (context: Context): string => context.req.path.slice(base.length) || '/';
  const languageOf = (_: Request): Language => 'en';
  const respond = createRespond({ link, pathOf, languageOf, logger });

  const serve = async (context: Context, route: PageRoute): Promise<Response> => {
    const request = context.req.raw;
    const operator = await access.identify(request);
    if (operator instanceof Response) return operator;
    // The one step that keeps viewers from changing anything: no function of a route runs before it.
    if (!mayAct(operator, route.role)) return respond.refuse(context, 'forbidden', operator);
    try {
      const answer = await route.answer({
        params: context.req.param() as Record<string, string>,
        query: new URL(request.url).searchParams,
        form: await readForm(request),
        signal: request.signal,
        ...{ operator, server, link, now },
        language: languageOf(request),
        audit: createAudit(logger, operator),
      });
      return await respond.answer(context, answer, operator);
    } catch (error) {
      return respond.failure(context, error, operator);
    }
  };

  const app = new Hono({ strict: false });
  app.use(securityHeaders);
  // The one step that keeps pages of other origins from changing anything: browsers send Origin with every POST request.
  app.use(async (context, next) => {
    const isSafe = context.req.method === 'GET' || context.req.method === 'HEAD';
    return isSafe || context.req.header('origin') === url.origin ? next() : respond.refuse(context, 'otherOrigin');
  });
  app.get(`${base}/assets/:name`, async (context) => {
    const asset = assets.get(context.req.param('name'));
    if (asset === undefined) return respond.refuse(context, 'notFound');
    return context.body(asset.body, 200, { 'content-type': asset.type, 'cache-control': 'public, max-age=3600' });
  });
  app.all(`${base}/session/*`, (context) => access.answer(context.req.raw, pathOf(context)));
  for (const route of allRoutes) {
    const path = route.path === '/' ? base || '/' : `${base}${route.path}`;
    app.on(route.method, path, (context) => serve(context, route));
  }
  app.notFound((context) => respond.refuse(context, 'notFound'));
  app.onError((error, context) => respond.failure(context, error));
  return async (request: Request): Promise<Response> => app.fetch(request);
};
