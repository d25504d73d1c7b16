import type { Carnet, CreateProviderOptions } from '@carnet/provider';
import type { Logger } from '@carnet/provider/server';
import { remedyIn } from '@carnet/provider/storage';
import type { LoadOptions } from '../config/load-config.ts';
import { type CommandConfig, libraryConfig } from '../config/schema.ts';
import { mountConsole } from '../console/mount-console.ts';
import { type Listener, listen } from '../listener/listener.ts';
import { assertInstalled, packagesOf } from '../load-package.ts';

/** One process that serves. */
export interface RunningServer {
  /** Undefined when only the other listener is open. */
  readonly publicUrl?: string;
  readonly adminUrl?: string;
  /** Undefined without `console.enabled`. */
  readonly consoleUrl?: string | undefined;
  /** Undefined without `metrics.port`. */
  readonly metricsUrl?: string;
  /** The metrics of this process. */
  readonly metrics: Carnet['metrics'];
  /** Purges the user cache of this process. */
  readonly purgeUserCache: Carnet['purgeUserCache'];
  /** Waits up to `http.shutdownSeconds` for requests in progress, then closes the store. */
  close(): Promise<void>;
}

export const listenerNames = ['public', 'admin'] as const;
export type ListenerName = (typeof listenerNames)[number];

export interface ServerOptions {
  /** The only listener to open. Default: both. */
  readonly only?: ListenerName;
  /** The options that loaded the configuration, for the console. */
  readonly source?: LoadOptions | undefined;
  readonly gatherMetrics?: CreateProviderOptions['gatherMetrics'];
  readonly purgeElsewhere?: CreateProviderOptions['purgeElsewhere'];
}

type Handler = Parameters<typeof listen>[0]['handler'];

const listenFor = async (name: string, variable: string, options: Parameters<typeof listen>[0]): Promise<Listener> => {
  try {
    return await listen(options);
  } catch (error) {
    throw new Error(`${name} listener: ${(error as Error).message} (${variable} sets the port.)`, { cause: error });
  }
};

/**
 * A store that an operator must prepare first (`carnet migrate up`) does not end the process. Readiness is 503 until then,
 * and no restart is needed.
 */
const untilFit = async (carnet: Pick<Carnet, 'ready'>, logger: Logger): Promise<void> => {
  try {
    await carnet.ready();
  } catch (error) {
    const remedy = remedyIn(error);
    if (remedy === undefined) throw error;
    logger.warn({ storage: remedy }, 'not ready');
  }
};

/**
 * Opens the store and both listeners, or `only` one.
 *
 * @throws Error when the store does not answer, or a port can't be opened. Nothing stays open then.
 */
export const openServer = async (
  config: CommandConfig,
  logger: Logger,
  { only, source, ...options }: ServerOptions = {},
): Promise<RunningServer> => {
  assertInstalled(packagesOf(config));
  // Loaded here, because `carnet help` and `carnet keys` do not need it.
  const { createProvider } = await import('@carnet/provider');
  const carnet = await createProvider(libraryConfig(config), { logger, ...options });
  const listeners: Listener[] = [];
  const stopping = new AbortController();
  const close = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(listeners.map((listener) => listener.close(config.http.shutdownSeconds)));
    await carnet.close();
  };
  const onError = (err: unknown): void => logger.error({ err }, 'a request failed unexpectedly');
  const open = async (
    name: ListenerName | 'metrics',
    variable: string,
    at: { host: string; port?: number | undefined },
    handler: Handler,
  ) => {
    if (at.port === undefined || (only !== undefined && only !== name && name !== 'metrics')) return undefined;
    const { host, port } = at;
    const listener = await listenFor(name, variable, { handler, host, port, onError, endsEmptyBodies: true });
    listeners.push(listener);
    return listener.url;
  };
  try {
    await untilFit(carnet, logger);
    const publicUrl = await open('public', 'PORT', config.public, carnet.standalone());
    const api = carnet.adminCallback();
    let admin: Handler = api;
    const adminUrl = await open('admin', 'ADMIN_PORT', config.admin, (request, response) => admin(request, response));
    const { gatherMetrics } = options;
    const parts = { config, source, carnet, logger, gatherMetrics, signal: stopping.signal };
    // After the listener: its port may be chosen by the system.
    const console = config.console.enabled && adminUrl ? mountConsole({ ...parts, adminUrl }) : undefined;
    admin = console?.handlerFor(api) ?? api;
    const metricsUrl = await open('metrics', 'METRICS_PORT', config.metrics, carnet.metricsCallback());
    const { metrics, purgeUserCache } = carnet;
    return { publicUrl, adminUrl, metricsUrl, consoleUrl: console?.url, metrics, purgeUserCache, close };
  } catch (error) {
    await close();
    throw error;
  }
};
