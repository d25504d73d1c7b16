import { type Listening, listen } from '@carnet/test-servers/listen';
import { getRequestListener } from '@hono/node-server';

/** Serves pages that take a Web Request, in this process. */
export const servePages = (pages: (request: Request) => Promise<Response>): Promise<Listening> =>
  listen(getRequestListener((request) => pages(request)));
