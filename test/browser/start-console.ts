import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createProvider } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { allRoutes } from '../../packages/console/src/all-routes.ts';
import type { BrandSettings } from '../../packages/console/src/brand/brand.ts';
import { createFigureSource } from '../../packages/console/src/charts/figure-source.ts';
import { openHistory } from '../../packages/console/src/charts/history.ts';
import { createNodeHandler } from '../../packages/console/src/node-handler.ts';
import { openConsole } from '../../packages/console/src/open-console.ts';
import { createInProcessServer } from '../../packages/console/src/server/in-process.ts';
import { signedIn } from '../../packages/console/test/signed-in.ts';

export interface ConsoleOptions {
  /** The names of the operator, of a client, and of a user. */
  readonly name: string;
  /** The metrics at a time. Default: those of the provider. */
  readonly metrics?: (at: number) => string;
  /** The time of the first sample, in milliseconds since 1970. */
  readonly start?: number;
  /** The samples of the history, a minute apart. */
  readonly samples?: number;
  readonly brand?: BrandSettings;
  /** Delays each registration of a client, in milliseconds: a store in memory needs no time. */
  readonly createMs?: number;
}

/** Paths with an answer that is no page: streams, scripts, and the way back from a sign-in. */
const noPages = new Set(['/overview/live', '/events/stream', '/events/live.js', '/try/callback']);

const startProvider = async (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-console-'));
  const carnet = await createProvider({
    dev: true,
    issuer: 'http://localhost:4444',
    storage: { default: 'memory:' },
    secrets: { system: ['a secret of at least thirty-two characters'] },
    urls: { login: 'http://localhost:3000/login', consent: 'http://localhost:3000/consent' },
    log: { level: 'silent' },
    events: { webhooks: [{ name: 'crm', url: 'http://127.0.0.1:9/hook', secret: `whsec_${'a'.repeat(32)}` }] },
    accounts: {
      database: `sqlite:${join(folder, 'accounts.db')}`,
      directories: [{ name: 'users', kind: 'sql' }],
      recovery: { enabled: true },
      mail: { url: 'log:', from: 'carnet@example.com' },
    },
  });
  await carnet.clients.create({ client_id: 'shop', client_name: name, redirect_uris: ['https://shop.example/cb'] });
  const password = 'correct horse battery';
  const user = await carnet.users?.create({ email: 'ada@example.com', password, claims: { name } });
  return { carnet, folder, subject: user?.subject ?? '' };
};

/** A console in Chromium's reach, with an operator who is signed in already. */
export const startConsole = async (options: ConsoleOptions) => {
  const { name, metrics, start = Date.now() - 300_000, samples = 5, brand, createMs = 0 } = options;
  const { carnet, subject, folder } = await startProvider(name);
  let handler: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | undefined;
  const listener = await listen((request, response) =>
    handler?.(request, response, () => response.writeHead(404).end()),
  );
  const url = new URL(`${listener.origin}/console`);
  let at = start;
  const create: typeof carnet.clients.create = async (metadata) => {
    await wait(createMs);
    return carnet.clients.create(metadata);
  };
  const delayed = { ...carnet, clients: { ...carnet.clients, create } };
  const server = createInProcessServer(createMs === 0 ? carnet : delayed, {
    issuer: 'http://localhost:4444',
    ...(metrics && { metrics: async () => metrics(at) }),
  });
  const warn = () => {};
  const history = openHistory({ server, logger: { warn }, now: () => at, signal: AbortSignal.abort() });
  const figures = createFigureSource({ history, logger: { warn }, now: Date.now });
  for (let minute = 0; minute < samples; minute++) {
    await history.sample();
    at += 60_000;
    if (!metrics) await carnet.fetch(new Request('http://localhost:4444/.well-known/openid-configuration'));
  }
  const operator = { subject: 'ada', name, role: 'operator' } as const;
  const answer = await openConsole({
    server,
    figures,
    brand,
    access: () => signedIn(operator),
    logger: { info: warn, error: (fields) => console.error(fields) },
    url,
    now: Date.now,
  });
  handler = createNodeHandler(answer, url);
  const values: Readonly<Record<string, string>> = { id: 'shop', subject, name: 'crm' };
  const pages = allRoutes(figures)
    .filter(({ method, path }) => method === 'GET' && !noPages.has(path))
    .map(({ path }) => path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? name)));
  const close = async () => {
    await listener.close();
    await carnet.close();
    rmSync(folder, { recursive: true });
  };
  return { url, pages, close };
};
