import { type Carnet, createProvider } from '@carnet/provider';
import type { ConfigInput } from '@carnet/provider/config';
import type { Operator } from '../src/access/operator.ts';
import type { BrandSettings } from '../src/brand/brand.ts';
import { createFigureSource } from '../src/charts/figure-source.ts';
import { openHistory } from '../src/charts/history.ts';
import type { Prometheus } from '../src/charts/prometheus.ts';
import { openConsole } from '../src/open-console.ts';
import type { ConsoleServer, LocalFunctions } from '../src/server/console-server.ts';
import { createInProcessServer } from '../src/server/in-process.ts';
import { signedIn } from './signed-in.ts';

const url = new URL('http://console.test/console');

/** A provider in memory, without output. */
export const devConfig = {
  dev: true,
  issuer: 'http://localhost:4444',
  storage: { default: 'memory:' },
  secrets: { system: ['a secret of at least thirty-two characters'] },
  urls: { login: 'http://localhost:3000/login', consent: 'http://localhost:3000/consent' },
  log: { level: 'silent' },
} satisfies ConfigInput;

/** A console on a provider in memory, with an operator who is signed in already. The caller closes `carnet`. */
export const startConsole = async (
  config: Omit<ConfigInput, 'dev' | 'issuer'> = {},
  operator: Operator = { subject: 'ada', name: 'Ada', role: 'operator' },
  /** `carnet`: a running one. Default: a new one. */
  {
    carnet: running,
    prometheus,
    brand,
    serverOf,
    ...local
  }: LocalFunctions & {
    readonly carnet?: Carnet;
    /** Default: in process. */
    readonly serverOf?: (carnet: Carnet) => Promise<ConsoleServer>;
    readonly prometheus?: Prometheus;
    readonly brand?: BrandSettings;
  } = {},
) => {
  const { issuer } = devConfig;
  const open = () =>
    createProvider({
      ...devConfig,
      ...config,
    });
  const carnet = running ?? (await open());
  const server = (await serverOf?.(carnet)) ?? createInProcessServer(carnet, { issuer, ...local });
  const records: object[] = [];
  const logger = { warn: (fields: object) => void records.push(fields) };
  const history = openHistory({ server, logger, now: Date.now, signal: AbortSignal.abort() });
  const fetchConsole = await openConsole({
    server,
    access: () => signedIn(operator),
    brand,
    figures: createFigureSource({ history, prometheus, logger, now: Date.now }),
    logger: { info: (fields) => void records.push(fields), error: (fields) => console.error(fields) },
    url,
    now: Date.now,
  });
  type Fields = Record<string, string> | FormData | ReadableStream<Uint8Array>;
  /** As browsers send it. A `FormData` as the body of a `Request` can not be cancelled. */
  const bodyOf = async (form: FormData) => {
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type') ?? '';
    return { body: await encoded.arrayBuffer(), headers: { 'content-type': type } };
  };
  const send = async (method: string, path: string, fields?: Fields, given: Record<string, string> = {}) => {
    const { body, headers } =
      fields instanceof FormData
        ? await bodyOf(fields)
        : { body: fields instanceof ReadableStream || !fields ? fields : new URLSearchParams(fields), headers: {} };
    const all = new Headers({ ...(method === 'POST' && { origin: url.origin }), ...headers, ...given });
    const half = { duplex: 'half' };
    return fetchConsole(new Request(`${url}${path}`, { method, headers: all, body, ...half }));
  };
  return {
    carnet,
    /** The logged fields. */
    records,
    get: (path: string) => send('GET', path),
    post: (path: string, fields: Fields, headers?: Record<string, string>) => send('POST', path, fields, headers),
  };
};
