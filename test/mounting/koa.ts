import { type Console, createNodeHandler } from '@carnet/console';
import type Koa from 'koa';

/** Serves the console in a Koa app. */
export const mountInKoa = (app: Koa, answer: Console, url: string): void => {
  const handle = createNodeHandler(answer, new URL(url));
  app.use(async (context, next) => {
    if (/^\/console(\/|$)/.test(context.path)) {
      context.respond = false;
      handle(context.req, context.res, () => {});
    } else await next();
  });
};
