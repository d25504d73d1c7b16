import type { Config } from '../config/schema.ts';
import type { Carnet, CreateProviderOptions } from '../create-provider.ts';
import { type Listener, listen } from '../http/listener.ts';
import { remedyIn } from '../storage/guard.ts';
import type { Logger } from '../telemetry/logger.ts';

/** One process that serves. */
export interface RunningServer {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** What this process has measured. */
  readonly metrics: Carnet['metrics'];
  /** Let requests under way finish, for `http.shutdownSeconds`, then release the store. */
  close(): Promise<void>;
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
 * Opens the store and both listeners.
 *
 * @throws when the store does not answer or a port can't be had; nothing is left open then.
 */
export const openServer = async (
  config: Config,
  logger: Logger,
  gatherMetrics?: CreateProviderOptions['gatherMetrics'],
): Promise<RunningServer> => {
  // Here, not at the top: `carnet help` and `carnet keys` need nothing of it.
  const { createProvider } = await import('../create-provider.ts');
  const carnet = await createProvider(config, { logger, gatherMetrics });
  const listeners: Listener[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close(config.http.shutdownSeconds)));
    await carnet.close();
  };
  const onError = (err: unknown): void => logger.error({ err }, 'a request failed unexpectedly');
  const open = async (name: string, variable: string, at: { host: string; port: number }, handler: Handler) => {
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
