import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Listens for the browser that returns from the authorization endpoint. */
export interface Callback {
  /** The URL that the user opens. It redirects to the authorization endpoint. */
  readonly startUrl: string;
  /** Resolves with the URL at which the browser returned. */
  readonly arrived: Promise<{ readonly url: URL; answer(text: string): void }>;
  close(): void;
}

export interface CallbackOptions {
  readonly port: number;
  readonly redirectUri: URL;
  readonly authorizationUrl: URL;
}

const headers = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

const answerWith = (response: ServerResponse) => (text: string) => {
  response.writeHead(200, { ...headers, Connection: 'close' }).end(text);
};

/** Opens the listener, on loopback only. @throws Error when the port is in use */
export const openCallback = ({ port, redirectUri, authorizationUrl }: CallbackOptions): Promise<Callback> =>
  new Promise((opened, failed) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<Awaited<Callback['arrived']>>();
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      const url = new URL(request.url ?? '/', redirectUri.origin);
      if (url.pathname === redirectUri.pathname) arrive({ url, answer: answerWith(response) });
      else if (url.pathname === '/') response.writeHead(302, { ...headers, Location: authorizationUrl.href }).end();
      else response.writeHead(404, headers).end('There is nothing here.');
    };
    const server = createServer(handle);
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(new Error(`Port ${port} of 127.0.0.1 can't be opened (${error.code}). Choose another with --port.`)),
    );
    server.listen(port, '127.0.0.1', () =>
      opened({ startUrl: `http://127.0.0.1:${port}/`, arrived, close: () => server.close() }),
    );
  });
