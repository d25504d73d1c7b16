import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Console, ConsoleSettings } from '@carnet/console';
import type { Carnet, CreateProviderOptions } from '@carnet/provider';
import { type Logger, renderMetrics } from '@carnet/provider/server';
import { readConsoleLogo } from '../config/console-logo.ts';
import { openEffectiveConfiguration } from '../config/effective-config.ts';
import type { LoadOptions } from '../config/load-config.ts';
import type { CommandConfig } from '../config/schema.ts';
import { createSigningKeysReader } from '../keys/key-states.ts';
import { loadPackage } from '../load-package.ts';
import { createDoctorChecks } from './doctor-checks.ts';
import { createClientKeysFetcher } from './fetch-client-keys.ts';

type ConsoleModule = typeof import('@carnet/console');
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export const loadConsole = (): Promise<ConsoleModule> => loadPackage<ConsoleModule>('@carnet/console');

/** The settings of a console by its section of the configuration. */
export const settingsOf = (
  section: CommandConfig['console'],
  given: Pick<ConsoleSettings, 'url' | 'secrets' | 'logger'>,
): ConsoleSettings => {
  const {
    access,
    maximumDuration,
    idleDuration,
    prometheus: { url, ...prometheus },
    brand,
  } = section;
  return {
    ...given,
    access,
    brand: { ...brand, logo: readConsoleLogo(section) },
    prometheus: url === undefined ? undefined : { url, ...prometheus },
    session: { maximumSeconds: maximumDuration, idleSeconds: idleDuration },
  };
};

export interface MountOptions {
  readonly config: CommandConfig;
  /** The options that loaded the configuration. Undefined: the console has no page for it. */
  readonly source?: LoadOptions | undefined;
  readonly carnet: Carnet;
  readonly logger: Logger;
  /** The URL of the listener that serves the console. */
  readonly adminUrl: string;
  readonly gatherMetrics: CreateProviderOptions['gatherMetrics'];
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** A console below its path, on a listener. */
export interface MountedConsole {
  readonly url: string;
  /** Forwards the requests of other paths to `otherwise`. */
  readonly handlerFor: (otherwise: Handler) => Handler;
}

/** Browsers keep a session for a host name: `localhost`, as the pages and the issuer of dev mode. */
const defaultUrl = (adminUrl: string): string => `http://localhost:${new URL(adminUrl).port}/console`;

/** The console of this process. Its package is loaded while the listeners serve already: the start does not wait for it. */
export const mountConsole = (options: MountOptions): MountedConsole => {
  const { config, source, carnet, logger, adminUrl, signal } = options;
  // Read now: the file may be another one when an operator looks at it.
  const effective = source && openEffectiveConfiguration(source);
  const { gatherMetrics = async () => [await carnet.metrics()] } = options;
  const url = config.console.url ?? defaultUrl(adminUrl);
  const open = async () => {
    const { createConsole, createNodeHandler } = await loadConsole();
    const secrets = config.secrets.system as [string, ...string[]];
    const console: Console = await createConsole(carnet, {
      ...settingsOf(config.console, { url, secrets, logger }),
      issuer: config.issuer,
      metrics: async () => renderMetrics(await gatherMetrics()),
      ...effective,
      signingKeys: createSigningKeysReader(config, signal),
      fetchClientKeys: createClientKeysFetcher(config, logger),
      checks: createDoctorChecks(config),
      signal,
    });
    return createNodeHandler(console, new URL(url));
  };
  const opened = open();
  // Each request reports the failure. Without this line, the process would end.
  opened.catch((err: unknown) => logger.error({ err }, 'the console could not be opened'));
  const { pathname } = new URL(url);
  return {
    url,
    handlerFor: (otherwise) => (request, response) => {
      if (!request.url?.startsWith(pathname)) return otherwise(request, response);
      opened.then(
        (handle) => handle(request, response, () => otherwise(request, response)),
        () => response.writeHead(500).end('The console could not be opened. The log of the server has the reason.'),
      );
    },
  };
};
