import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Command, UsageError } from '../command.ts';
import { firstSignal } from '../listener/first-signal.ts';
import { type Listener, listen } from '../listener/listener.ts';
import { openPages } from './open-pages.ts';

/** How long requests in progress may take after the signal to stop. The default of `http.shutdownSeconds`. */
const shutdownSeconds = 10;

const portOf = (name: string, text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError(`${name} must be a port: 0 to 65535.`);
  return Number(text);
};

/** The metrics of the pages, as `metrics.port` of the server: `GET /metrics` alone, without a token. */
const answerMetrics =
  (metrics: () => string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url !== '/metrics') response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metrics());
  };

export const ui: Command = {
  name: 'ui',
  summary: 'Serve the bundled pages: login, consent, logout, device and account. They read variables only.',
  options: {},
  examples: ['carnet ui'],
  run: async (_values, { env, out, err }) => {
    const { HOST, PORT, UI_METRICS_HOST, UI_METRICS_PORT } = env;
    const address = { host: HOST || '127.0.0.1', port: portOf('PORT', PORT || '3000') };
    const metricsPort = UI_METRICS_PORT ? portOf('UI_METRICS_PORT', UI_METRICS_PORT) : undefined;
    const stopped = firstSignal(env);
    const pages = await openPages();
    const onError = (error: unknown): void => err(`carnet: a request failed unexpectedly: ${error}`);
    const listeners: Listener[] = [await listen({ ...address, handler: pages.handler, onError })];
    if (metricsPort !== undefined) {
      const host = UI_METRICS_HOST || '127.0.0.1';
      listeners.push(await listen({ host, port: metricsPort, handler: answerMetrics(pages.metrics), onError }));
      out(`The metrics of the pages are at ${listeners[1]?.url}/metrics`);
    }
    out(`The pages are ready at ${listeners[0]?.url}`);
    await stopped;
    await Promise.all(listeners.map((listener) => listener.close(shutdownSeconds)));
    await pages.close();
  },
};
