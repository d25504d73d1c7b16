import type * as issuersPackage from '@carnet/issuers';
import type { Carnet, CreateProviderOptions } from '@carnet/provider';
import type { Logger } from '@carnet/provider/server';
import { remedyIn } from '@carnet/provider/storage';
import type { LoadOptions } from '../config/load-config.ts';
import { type CommandConfig, libraryConfig } from '../config/schema.ts';
import { issuerConsoles } from '../console/issuer-consoles.ts';
import { mountConsole } from '../console/mount-console.ts';
import { type Listener, listen } from '../listener/listener.ts';
import { assertInstalled, loadPackage, packagesOf } from '../load-package.ts';

/** Where a process serves. */
export interface ServedUrls {
  /** Undefined when only the other listener is open. */
  readonly publicUrl?: string | undefined;
  readonly adminUrl?: string | undefined;
  /** Undefined without `console.enabled`. */
  readonly consoleUrl?: string | undefined;
  /** Undefined without `metrics.port`. */
  readonly metricsUrl?: string | undefined;
}

/** One process that serves. */
export interface RunningServer {
  readonly urls: ServedUrls;
  /** The metrics of this process. */
  readonly metrics: Carnet['metrics'];
  /** Purges the user cache of this process. */
  readonly purgeUserCache: Carnet['purgeUserCache'];
  /** Waits up to `http.shutdownSeconds` for requests in progress, then closes the store. */
  close(): Promise<void>;
}

export const listenerNames = ['public', 'admin'] as const;
export type ListenerName = (typeof listenerNames)[number];

/** The configuration of the first issuer, and of further ones by name. Plain data, which is sent to workers. */
export interface ServerConfig {
  readonly config: CommandConfig;
  readonly issuers: readonly (readonly [string, CommandConfig])[];
}

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

interface Served {
  /** The one issuer, or all. */
  readonly carnet: Pick<
    Carnet,
    'standalone' | 'adminCallback' | 'metricsCallback' | 'ready' | 'metrics' | 'purgeUserCache' | 'close'
  >;
  /** The first issuer. */
  readonly first: Carnet;
  /** Undefined with one issuer. */
  readonly use?: issuersPackage.Issuers['use'];
}

const openIssuers = async ({ config, issuers }: ServerConfig, options: CreateProviderOptions): Promise<Served> => {
  assertInstalled([config, ...issuers.map(([, own]) => own)].flatMap(packagesOf));
  const { limits } = config;
  if (issuers.length === 0 || limits === undefined) {
    // Loaded here, because `carnet help` and `carnet keys` do not need it.
    const { createProvider } = await import('@carnet/provider');
    const carnet = await createProvider(libraryConfig(config), { ...options, maxClients: limits?.clients });
    return { carnet, first: carnet };
  }
  const loaded = await loadPackage<typeof issuersPackage>('@carnet/issuers');
  const named = issuers.map(
    ([name, own]) => [name, { name, config: libraryConfig(own), limits: own.limits ?? limits }] as const,
  );
  const first = { name: undefined, config: libraryConfig(config), limits };
  const all = await loaded.openIssuers({ first, named: new Map(named) }, options);
  return { carnet: all, first: await all.of(undefined), use: all.use };
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
  { config, issuers }: ServerConfig,
  logger: Logger,
  { only, source, ...options }: ServerOptions = {},
): Promise<RunningServer> => {
  const { carnet, first, use } = await openIssuers({ config, issuers }, { logger, ...options });
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
    const { signal } = stopping;
    const parts = { config, source, carnet: first, logger, gatherMetrics, signal };
    // After the listener: its port may be chosen by the system.
    const console = config.console.enabled && adminUrl ? mountConsole({ ...parts, adminUrl }) : undefined;
    admin = console?.handlerFor(api) ?? api;
    if (use && console)
      admin = issuerConsoles({ issuers, use, logger, firstUrl: console.url, gatherMetrics, signal }, admin);
    const metricsUrl = await open('metrics', 'METRICS_PORT', config.metrics, carnet.metricsCallback());
    const { metrics, purgeUserCache } = carnet;
    const urls = { publicUrl, adminUrl, consoleUrl: console?.url, metricsUrl };
    return { urls, metrics, purgeUserCache, close };
  } catch (error) {
    await close();
    throw error;
  }
};
