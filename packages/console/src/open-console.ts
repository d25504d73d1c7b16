import { type Context, Hono } from 'hono';
import type { Access } from './access/access.ts';
import { mayAct } from './access/operator.ts';
import { allRoutes } from './all-routes.ts';
import { type BrandSettings, openBrand } from './brand/brand.ts';
import type { FigureSource } from './charts/figure-source.ts';
import { languageOf } from './messages/negotiate.ts';
import { readAssets } from './page/assets.ts';
import { type AuditLogger, createAudit } from './page/audit.ts';
import { chooseLanguage } from './page/choose-language.ts';
import { readForm } from './page/form-body.ts';
import { createLink } from './page/link.ts';
import { createRespond } from './page/respond.ts';
import type { PageContext, PageRoute } from './page/route.ts';
import { pictureHeaders, securityHeaders } from './page/security-headers.ts';
import type { ConsoleServer } from './server/console-server.ts';

export interface ConsoleParts {
  readonly server: ConsoleServer;
  /** Called with the function that forms the URLs of pages. */
  readonly access: (link: PageContext['link']) => Access;
  readonly figures: FigureSource;
  readonly brand?: BrandSettings | undefined;
  readonly logger: AuditLogger & { error(fields: object, message: string): void };
  /** The URL of the console, with its path: `https://admin.example.com/console`. */
  readonly url: URL;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Respond = ReturnType<typeof createRespond>;

interface Serving extends Omit<ConsoleParts, 'access' | 'brand'>, Pick<PageContext, 'link'> {
  readonly access: Access;
  readonly respond: Respond;
  readonly pathOf: (context: Context) => string;
}

/** Answers a request for a route, if its operator may call it. */
const createServe =
  ({ server, access, logger, now, link, url, respond, pathOf }: Serving) =>
  async (context: Context, route: PageRoute): Promise<Response> => {
    const request = context.req.raw;
    const language = languageOf(context);
    const { searchParams: query, search } = new URL(request.url);
    const identified = await access.identify(request, `${pathOf(context)}${search}`, language);
    if (!('operator' in identified)) return respond.answer(context, identified);
    const { operator, cookie, watchSession } = identified;
    // The one step that keeps viewers from changing anything: no function of a route runs before it.
    if (!mayAct(operator, route.role)) return respond.refuse(context, 'forbidden', operator);
    try {
      const answer = await route.answer({
        params: context.req.param() as Record<string, string>,
        form: await readForm(request, route),
        signal: request.signal,
        ...{ query, operator, watchSession, server, link, url, language, now },
        audit: createAudit(logger, operator),
      });
      if (route.method === 'POST') await access.changed();
      const response = await respond.answer(context, answer, operator);
      if (cookie !== undefined) response.headers.append('set-cookie', cookie);
      return response;
    } catch (error) {
      return respond.failure(context, error, operator);
    }
  };

/** The console as one function on Web Requests. */
export const openConsole = async (parts: ConsoleParts) => {
  const { url, logger } = parts;
  const base = url.pathname.replace(/\/+$/, '');
  const link = createLink(base);
  const brand = openBrand(parts.brand ?? {}, link);
  const assets = new Map([...(await readAssets()), ...brand.assets]);
  const access = parts.access(link);
  const pathOf = (context: Context): string => context.req.path.slice(base.length) || '/';
  const respond = createRespond({ link, brand, pathOf, languageOf, logger });
  const serve = createServe({ ...parts, access, link, respond, pathOf });

  const app = new Hono({ strict: false });
  const isLogo = ({ req: { path } }: Context): boolean => path === `${base}/assets/logo`;
  const headersOf = { page: securityHeaders(brand.pictureOrigins), logo: pictureHeaders };
  app.use((context, next) => headersOf[isLogo(context) ? 'logo' : 'page'](context, next));
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
  app.post(`${base}/language`, (context) => chooseLanguage(context, link, url));
  app.all(`${base}/session/*`, async (context) => {
    const answer = await access.answer(context.req.raw, pathOf(context), languageOf(context));
    return answer === undefined ? respond.refuse(context, 'notFound') : respond.answer(context, answer);
  });
  for (const route of allRoutes(parts.figures)) {
    const path = route.path === '/' ? base || '/' : `${base}${route.path}`;
    app.on(route.method, path, (context) => serve(context, route));
  }
  app.notFound((context) => respond.refuse(context, 'notFound'));
  app.onError((error, context) => respond.failure(context, error));
  return async (request: Request): Promise<Response> => app.fetch(request);
};
