import { createProvider } from '@carnet/provider';
import type { ConfigInput } from '@carnet/provider/config';
import type { Operator } from '../src/access/operator.ts';
import { openConsole } from '../src/open-console.ts';
import type { ConsoleServer } from '../src/server/console-server.ts';
import { createInProcessServer } from '../src/server/in-process.ts';

const url = new URL('http://console.test/console');

/** A console on a provider in memory, with an operator who is signed in already. The caller closes `carnet`. */
export const startConsole = async (
  config: Omit<ConfigInput, 'dev' | 'issuer'> = {},
  operator: Operator = { subject: 'ada', name: 'Ada', role: 'operator' },
  wrap: (server: ConsoleServer) => ConsoleServer = (server) => server,
) => {
  const issuer = 'http://localhost:4444';
  const carnet = await createProvider({
    dev: true,
    issuer,
    storage: { default: 'memory:' },
    secrets: { system: ['a secret of at least thirty-two characters'] },
    urls: { login: 'http://localhost:3000/login', consent: 'http://localhost:3000/consent' },
    log: { level: 'silent' },
    ...config,
  });
  const server = wrap(createInProcessServer(carnet, { issuer }));
  const records: object[] = [];
  const fetchConsole = await openConsole({
    server,
    access: () => ({ identify: async () => ({ operator }), answer: async () => undefined }),
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
