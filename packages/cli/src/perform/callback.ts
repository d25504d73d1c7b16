import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Listens for the browser that comes back from an authorization. */
export interface Callback {
  /** Where somebody begins: leads on to the authorization endpoint. */
  readonly startUrl: string;
  /** Resolves with the URL that the browser came back to. */
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

/** Opens the listener on loopback, and nowhere else. @throws Error when the port is taken */
export const openCallback = ({ port, redirectUri, authorizationUrl }: CallbackOptions): Promise<Callback> =>
  new Promise((opened, failed) => {
    let arrive: (arrival: Awaited<Callback['arrived']>) => void = () => {};
    const arrived: Callback['arrived'] = new Promise((resolve) => {
      arrive = resolve;
    });
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      const url = new URL(request.url ?? '/', redirectUri.origin);
      if (url.pathname === redirectUri.pathname) arrive({ url, answer: answerWith(response) });
      else if (url.pathname === '/') response.writeHead(302, { ...headers, Location: authorizationUrl.href }).end();
      else response.writeHead(404, headers).end('There is nothing here.');
    };
    const server = createServer(handle);
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(new Error(`Port ${port} of 127.0.0.1 can't be had (${error.code}). --port names another.`)),
    );
    server.listen(port, '127.0.0.1', () =>
      opened({ startUrl: `http://127.0.0.1:${port}/`, arrived, close: () => server.close() }),
    );
  });
