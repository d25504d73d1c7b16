import type { Carnet, CreateProviderOptions } from '@carnet/provider';
import type { Config } from '@carnet/provider/config';
import type { Logger } from '@carnet/provider/server';
import { remedyIn } from '@carnet/provider/storage';
import { type Listener, listen } from '../listener/listener.ts';

/** One process that serves. */
export interface RunningServer {
  /** Absent when only the other listener was opened. */
  readonly publicUrl?: string;
  readonly adminUrl?: string;
  /** What this process has measured. */
  readonly metrics: Carnet['metrics'];
  /** Let requests under way finish, for `http.shutdownSeconds`, then release the store. */
  close(): Promise<void>;
}

export const listenerNames = ['public', 'admin'] as const;
export type ListenerName = (typeof listenerNames)[number];

export interface ServerOptions {
  /** The one listener that is opened; default both. */
  readonly only?: ListenerName;
  readonly gatherMetrics?: CreateProviderOptions['gatherMetrics'];
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
 * A store that somebody has to see to first (`carnet migrate up`) is no reason to end: readiness is 503 until then, and
 * nobody has to start the process again.
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
 * @throws when the store does not answer or a port can't be had; nothing is left open then.
 */
export const openServer = async (
  config: Config,
  logger: Logger,
  { only, gatherMetrics }: ServerOptions = {},
): Promise<RunningServer> => {
  // Here, not at the top: `carnet help` and `carnet keys` need nothing of it.
  const { createProvider } = await import('@carnet/provider');
  const carnet = await createProvider(config, { logger, gatherMetrics });
  const listeners: Listener[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close(config.http.shutdownSeconds)));
    await carnet.close();
  };
  const onError = (err: unknown): void => logger.error({ err }, 'a request failed unexpectedly');
  const open = async (name: ListenerName, variable: string, at: { host: string; port: number }, handler: Handler) => {
    if (only !== undefined && only !== name) return undefined;
    const listener = await listenFor(name, variable, { handler, host: at.host, port: at.port, onError });
    listeners.push(listener);
    return listener.url;
  };
  try {
    await untilFit(carnet, logger);
    const publicUrl = await open('public', 'PORT', config.public, carnet.standalone());
    const adminUrl = await open('admin', 'ADMIN_PORT', config.admin, carnet.adminCallback());
    return { publicUrl, adminUrl, metrics: carnet.metrics, close };
  } catch (error) {
    await close();
    throw error;
  }
};
