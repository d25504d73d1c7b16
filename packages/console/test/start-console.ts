import { type Carnet, createProvider } from '@carnet/provider';
import type { ConfigInput } from '@carnet/provider/config';
import type { Operator } from '../src/access/operator.ts';
import { openHistory } from '../src/charts/history.ts';
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
  { carnet: running, ...local }: LocalFunctions & { readonly carnet?: Carnet } = {},
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
  const fetchConsole = await openConsole({
    server,
    access: () => signedIn(operator),
    history: openHistory({ server, logger: { warn: console.warn }, now: Date.now, signal: AbortSignal.abort() }),
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
