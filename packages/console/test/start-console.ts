import { type Carnet, createProvider } from '@carnet/provider';
import type { ConfigInput } from '@carnet/provider/config';
import type { Operator } from '../src/access/operator.ts';
import type { BrandSettings } from '../src/brand/brand.ts';
import { createFigureSource } from '../src/charts/figure-source.ts';
import { openHistory } from '../src/charts/history.ts';
import type { Prometheus } from '../src/charts/prometheus.ts';
import { openConsole } from '../src/open-console.ts';
import type { LocalFunctions } from '../src/server/console-server.ts';
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
    ...local
  }: LocalFunctions & {
    readonly carnet?: Carnet;
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
  const server = createInProcessServer(carnet, { issuer, ...local });
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
  const send = (method: string, path: string, fields?: Record<string, string>, headers: Record<string, string> = {}) =>
    fetchConsole(
      new Request(`${url}${path}`, {
        method,
        headers: { ...(method === 'POST' && { origin: url.origin }), ...headers },
        body: fields && new URLSearchParams(fields),
      }),
    );
  return {
    carnet,
    /** The logged fields. */
    records,
    get: (path: string) => send('GET', path),
    post: (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
      send('POST', path, fields, headers),
  };
};
