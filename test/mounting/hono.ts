import type { Console } from '@carnet/console';
import type { Hono } from 'hono';

/** Serves the console in a Hono app. */
export const mountInHono = (app: Hono, answer: Console): void => {
  app.all('/console/*', (context) => answer(context.req.raw));
};
