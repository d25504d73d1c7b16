import { type Console, createNodeHandler } from '@carnet/console';
import type { Express } from 'express';

/** Serves the console in an Express app. Connect takes the same handler. */
export const mountInExpress = (app: Express, answer: Console, url: string): void => {
  app.use(createNodeHandler(answer, new URL(url)));
};
