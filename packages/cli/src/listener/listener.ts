import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { completeResponse, renderError, securityHeaders, sendResponse } from '@carnet/provider/server';
import { answerClientError } from './client-error.ts';
import { trackConnections } from './connections.ts';
import { createStop, type Stop } from './stop.ts';

export interface ListenOptions {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => unknown;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Called with an error that the handler threw. The response is 500. */
  readonly onError?: (error: unknown) => void;
  /** Until a request's headers have arrived. Default 10. */
  readonly headersTimeoutSeconds?: number;
  /** Until the whole request has arrived. Default 30. */
  readonly requestTimeoutSeconds?: number;
  /**
   * Whether requests without `Content-Length` and `Transfer-Encoding` arrive with an ended body, so that `handler` sees no
   * event of it: Node.js handles them faster. Default false.
   */
  readonly endsEmptyBodies?: boolean;
  /** How long a server that stops announces its end by `Connection: close`, before it refuses connections. Default 1. */
  readonly announceSeconds?: number;
}

export interface Listener {
  readonly address: { readonly host: string; readonly port: number };
  /** Such as `http://127.0.0.1:4444`. */
  readonly url: string;
  /**
   * Stops: for `announceSeconds` every response has `Connection: close`, then new connections are refused and idle ones
   * closed. A request that still runs after `graceSeconds` is cut off; the announcement is part of this time, and at most
   * half of it. Resolves when no connection is left; a second call returns the same promise.
   */
  close(graceSeconds: number): Promise<void>;
}

const maxHeaderSizeBytes = 16_384;
/** Longer than the usual 60 seconds of load balancers, so that the balancer closes an idle connection, not this server. */
const keepAliveTimeoutSeconds = 65;

const explanations: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port, host) =>
    `Port ${port} on ${host} is already in use. Stop the process that listens there, or choose another port.`,
  EACCES: (port) =>
    `Port ${port} may not be opened by this user. Choose a port above 1023, or grant the right to bind it.`,
  EADDRNOTAVAIL: (_port, host) => `${host} is not an address of this machine.`,
};

const explain = (error: NodeJS.ErrnoException, { port, host }: ListenOptions): Error => {
  const explanation = explanations[error.code ?? '']?.(port, host);
  return explanation === undefined ? error : new Error(explanation, { cause: error });
};

const openServer = (options: ListenOptions): Server => {
  const { headersTimeoutSeconds = 10, requestTimeoutSeconds = 30, endsEmptyBodies = false } = options;
  return createServer({
    optimizeEmptyRequests: endsEmptyBodies,
    maxHeaderSize: maxHeaderSizeBytes,
    headersTimeout: headersTimeoutSeconds * 1000,
    requestTimeout: requestTimeoutSeconds * 1000,
    keepAliveTimeout: keepAliveTimeoutSeconds * 1000,
    connectionsCheckingInterval: Math.min(5, headersTimeoutSeconds, requestTimeoutSeconds) * 1000,
  });
};

const bind = (server: Server, options: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(explain(error, options));
    server.once('error', fail);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', fail);
      resolve();
    });
  });

const createRun = ({ handler, onError }: Pick<ListenOptions, 'handler' | 'onError'>, { held }: Pick<Stop, 'held'>) => {
  const fail = (response: ServerResponse, error: unknown): void => {
    onError?.(error);
    if (response.headersSent) response.destroy();
    else sendResponse(response, completeResponse(renderError(error, 'unknown'), securityHeaders));
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    try {
      const released = held();
      // Without `async`: each additional promise costs measurable time.
      const handled = released ? released.then(() => handler(request, response)) : handler(request, response);
      if (handled instanceof Promise) handled.catch((error: unknown) => fail(response, error));
    } catch (error) {
      fail(response, error);
    }
  };
};

const describe = (server: Server): Pick<Listener, 'address' | 'url'> => {
  const { address: host, port } = server.address() as AddressInfo;
  return { address: { host, port }, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
};

/**
 * Listen on a port. Works in cluster workers, too.
 * @throws Error that names the port and the remedy, when the port can't be opened
 */
export const listen = async (options: ListenOptions): Promise<Listener> => {
  const server = openServer(options);
  const connections = trackConnections(server);
  const { held, close } = createStop(server, connections, { announceSeconds: options.announceSeconds ?? 1 });
  const { onError } = options;
  const run = createRun(options, { held });
  server.on('request', (request, response) => {
    connections.begin(request, response);
    run(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    answerClientError(error, socket, connections.isAnswering(socket)),
  );
  await bind(server, options);
  server.on('error', (error) => onError?.(error));
  return { ...describe(server), close };
};
