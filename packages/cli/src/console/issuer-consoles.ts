import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PrometheusSettings } from '@carnet/console';
import type { Issuers } from '@carnet/issuers';
import type { Carnet, CreateProviderOptions } from '@carnet/provider';
import { type Logger, renderMetrics } from '@carnet/provider/server';
import type { CommandConfig } from '../config/schema.ts';
import { createSigningKeysReader } from '../keys/key-states.ts';
import { createDoctorChecks } from './doctor-checks.ts';
import { createClientKeysFetcher } from './fetch-client-keys.ts';
import { type Handler, loadConsole, settingsOf } from './mount-console.ts';

type NodeHandler = ReturnType<Awaited<ReturnType<typeof loadConsole>>['createNodeHandler']>;

/** Where the console of a further issuer is. */
interface Place {
  readonly url: URL;
  /** The host that a request must have. Undefined: the path names the issuer. */
  readonly host: string | undefined;
}

/** At the own `console.url` of the issuer, or else below `/issuers/NAME`, as its admin API. */
const placeOf = (name: string, own: CommandConfig, firstUrl: string): Place => {
  const { url } = own.console;
  if (url !== undefined && new URL(url).href !== new URL(firstUrl).href)
    return { url: new URL(url), host: new URL(url).host };
  const first = new URL(firstUrl);
  return { url: new URL(`/issuers/${name}${first.pathname}`, first), host: undefined };
};

const isAt = ({ url: { pathname }, host }: Place, request: IncomingMessage): boolean => {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const isBelow = path === pathname || path.startsWith(`${pathname}/`);
  return isBelow && (host === undefined || request.headers.host?.toLowerCase() === host);
};

/** The label of all issuers that have none of their own, and thus of no issuer. */
const others = 'other';

/** The figures of one issuer. The one step that keeps it from those of the others: its label is the last one. */
const prometheusOfIssuer = (name: string, settings: PrometheusSettings): PrometheusSettings | undefined =>
  name === others ? undefined : { ...settings, labels: { ...settings.labels, issuer: name } };

/**
 * The lines of one issuer in the metrics of all. Safe against a value that looks like the label, because quotation marks in
 * values are escaped.
 */
export const metricsOfIssuer = (name: string, text: string): string => {
  if (name === others) return '';
  const label = new RegExp(`^[\\w:]+\\{(?:.*,)?issuer="${name}"[,}]`);
  const lines = text.split('\n').filter((line) => label.test(line));
  return lines.join('\n');
};

export interface IssuerConsolesOptions {
  readonly issuers: readonly (readonly [string, CommandConfig])[];
  readonly use: Issuers['use'];
  readonly logger: Logger;
  /** The URL of the console of the first issuer. */
  readonly firstUrl: string;
  /** The metrics of all workers. Undefined with one process. */
  readonly gatherMetrics: CreateProviderOptions['gatherMetrics'];
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * The console of one issuer. Its provider stays open while a request is answered. It has no sight of the installation: neither the
 * configuration nor the metrics of other issuers.
 */
const createIssuerConsole = (name: string, own: CommandConfig, { url }: Place, parts: IssuerConsolesOptions) => {
  const { use, logger, gatherMetrics } = parts;
  let current = new AbortController();
  const open = async (carnet: Carnet): Promise<NodeHandler> => {
    // The former provider is closed: its console reads no metrics any more.
    current.abort();
    current = new AbortController();
    const signal = AbortSignal.any([parts.signal, current.signal]);
    const { createConsole, createNodeHandler } = await loadConsole();
    const secrets = own.secrets.system as [string, ...string[]];
    const settings = settingsOf(own.console, { url: url.href, secrets, logger });
    const console = await createConsole(carnet, {
      ...settings,
      prometheus: settings.prometheus && prometheusOfIssuer(name, settings.prometheus),
      issuer: own.issuer,
      metrics: gatherMetrics && (async () => metricsOfIssuer(name, await renderMetrics(await gatherMetrics()))),
      signingKeys: createSigningKeysReader({ ...own, issuerName: name }, signal),
      fetchClientKeys: createClientKeysFetcher(own, logger),
      checks: createDoctorChecks(own, name),
      signal,
    });
    return createNodeHandler(console, url);
  };
  const opened = new WeakMap<Carnet, Promise<NodeHandler>>();
  const handlerOf = (carnet: Carnet): Promise<NodeHandler> => {
    const present = opened.get(carnet);
    if (present !== undefined) return present;
    const handler = open(carnet);
    opened.set(carnet, handler);
    handler.catch(() => opened.delete(carnet));
    return handler;
  };
  const answer = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    use(name, async (carnet) => {
      const handle = await handlerOf(carnet);
      if (response.closed) return;
      const closed = once(response, 'close');
      handle(request, response, () => response.writeHead(404).end());
      await closed;
    });
  return (request: IncomingMessage, response: ServerResponse): void =>
    void answer(request, response).catch((err: unknown) => {
      logger.error({ issuer: name, err }, 'the console of an issuer does not answer');
      if (!response.headersSent) response.writeHead(503, { 'retry-after': '5' }).end('The console does not answer.');
    });
};

/** The consoles of all issuers but the first. Requests of other paths are forwarded to `otherwise`. */
export const issuerConsoles = (parts: IssuerConsolesOptions, otherwise: Handler): Handler => {
  const consoles = parts.issuers
    .filter(([, own]) => own.console.enabled)
    .map(([name, own]) => {
      const place = placeOf(name, own, parts.firstUrl);
      return { place, handle: createIssuerConsole(name, own, place, parts) };
    });
  return (request, response) =>
    (consoles.find(({ place }) => isAt(place, request))?.handle ?? otherwise)(request, response);
};
