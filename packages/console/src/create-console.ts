import type { Carnet } from '@carnet/provider';
import { openAccess } from './access/open-access.ts';
import type { AccessRules, SessionLimits } from './access/settings.ts';
import type { BrandSettings } from './brand/brand.ts';
import { createFigureSource } from './charts/figure-source.ts';
import { openHistory } from './charts/history.ts';
import { openPrometheus, type PrometheusSettings } from './charts/prometheus.ts';
import { openConsole } from './open-console.ts';
import type { ConsoleServer, LocalFunctions } from './server/console-server.ts';
import { createInProcessServer } from './server/in-process.ts';

/** The functions of a logger. Carnet's and pino's fit. */
export interface ConsoleLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ConsoleSettings {
  /** The URL of the console, with its path, as browsers call it: `https://admin.example.com/console`. */
  readonly url: string;
  /** The users who may use it. Without values, no user has a role. */
  readonly access: AccessRules;
  /** Encrypt the cookies: the current secret first, then earlier ones. At least 32 characters each. */
  readonly secrets: readonly [string, ...string[]];
  readonly session?: SessionLimits;
  /** The client that the console registers. Two consoles with different URLs need two. Default `carnet-console`. */
  readonly clientId?: string;
  /** The overview then draws a day and a week from its figures. Default: a day from the memory of this process. */
  readonly prometheus?: PrometheusSettings | undefined;
  /** The name, the logo and the color. Default: none of its own. */
  readonly brand?: BrandSettings | undefined;
  /** Gets the audit records, and errors. */
  readonly logger: ConsoleLogger;
  /** Aborted when the console is no longer needed. */
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** Answers a request below the path of the console. */
export type Console = (request: Request) => Promise<Response>;

/** The console of any server that `server` calls. */
export const createConsoleOf = (server: ConsoleServer, settings: ConsoleSettings): Promise<Console> => {
  const {
    access: rules,
    secrets,
    session,
    clientId = 'carnet-console',
    brand,
    logger,
    signal,
    now = Date.now,
  } = settings;
  const url = new URL(settings.url);
  const limits = { maximumSeconds: 28_800, idleSeconds: 1_800, ...session };
  const access = (link: Parameters<Parameters<typeof openConsole>[0]['access']>[0]) =>
    openAccess({ server, rules, limits, secrets, clientId, url, link, logger, now });
  const history = openHistory({ server, logger, now, signal });
  const prometheus = settings.prometheus && openPrometheus(settings.prometheus, now);
  const figures = createFigureSource({ history, prometheus, logger, now });
  return openConsole({ server, access, figures, brand, logger, url, now });
};

export interface CreateConsoleOptions extends ConsoleSettings, LocalFunctions, Pick<ConsoleServer, 'issuer'> {
  /** The metrics of all processes, in the text format of Prometheus. Default: those of this process. */
  readonly metrics?: ConsoleServer['metrics'];
}

/**
 * The console of a provider in this process, for a server of the caller.
 *
 * @example
 * const console = await createConsole(carnet, {
 *   issuer: 'https://id.example.com',
 *   url: 'https://admin.example.com/console',
 *   access: { claim: 'groups', viewer: ['support'], operator: ['platform'] },
 *   secrets: [process.env.CONSOLE_SECRET],
 *   logger,
 * });
 * app.all('/console/*', (context) => console(context.req.raw)); // Hono
 */
export const createConsole = (carnet: Carnet, options: CreateConsoleOptions): Promise<Console> => {
  const { issuer, configuration, examineConfiguration, signingKeys, fetchClientKeys, checks, metrics, ...settings } =
    options;
  const local = { configuration, examineConfiguration, signingKeys, fetchClientKeys, checks };
  return createConsoleOf(createInProcessServer(carnet, { issuer, metrics, ...local }), settings);
};
