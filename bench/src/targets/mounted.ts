import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Carnet, createProvider } from '@carnet/provider';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';
import { type StoreName, startStore } from './stores.ts';
import type { Endpoints, RunningTarget } from './target.ts';

/** The pages of the app: each accepts its request in this process, as an app does once it has checked the password. */
const pagesOf = ({ requests }: Carnet): Readonly<Record<string, (query: URLSearchParams) => Promise<string>>> => ({
  async '/login'(query) {
    const challenge = query.get('login_challenge') ?? '';
    await requests.login.get(challenge);
    return (await requests.login.accept(challenge, { subject: randomUUID() })).redirectTo;
  },
  async '/consent'(query) {
    const challenge = query.get('consent_challenge') ?? '';
    const { requestedScopes } = await requests.consent.get(challenge);
    return (await requests.consent.accept(challenge, { grantScopes: requestedScopes })).redirectTo;
  },
});

const listenWith = async (listener: RequestListener, server = createServer({ keepAliveTimeout })): Promise<string> => {
  server.on('request', listener);
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const redirect = (response: ServerResponse, location: string): void =>
  void response.writeHead(302, { Location: location, 'Content-Length': 0 }).end();

/** Milliseconds. Longer than the rounds of the other servers, between which the connections are idle. */
const keepAliveTimeout = 60_000;

/** Serves an app with Carnet mounted beside its own pages, on one port. Clients are registered on another. */
const serve = async (storage: string): Promise<Endpoints> => {
  const server = createServer({ keepAliveTimeout });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const carnet = await createProvider({
    dev: true,
    issuer,
    storage: { default: storage },
    keys: { idTokenAlg: 'ES256' },
    urls: { login: `${issuer}/login`, consent: `${issuer}/consent` },
  });
  const [callback, pages] = [carnet.callback(), pagesOf(carnet)];
  const publicUrl = await listenWith((request, response) => {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const page = pages[path];
    if (page === undefined) return callback(request, response);
    page(new URLSearchParams(query)).then(
      (location) => redirect(response, location),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }, server);
  return { publicUrl, adminUrl: await listenWith(carnet.adminCallback()) };
};

/** Starts an app with Carnet mounted in it: one process, with the options of Node.js that an app has. */
export const startMountedTarget = async (
  name: StoreName,
  nodeOptions: readonly string[] = [],
): Promise<RunningTarget> => {
  const store = await startStore(name);
  const folder = makeScratchFolder('mounted');
  const log = openSync(join(folder, 'log'), 'a');
  const child = fork(fileURLToPath(import.meta.url), ['serve', store.url], {
    cwd: folder,
    env: { ...process.env, ...store.env },
    execArgv: [...process.execArgv, ...nodeOptions],
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  const [endpoints] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the app with Carnet ended with exit code ${code}`);
    }),
  ])) as [Endpoints];
  return {
    ...endpoints,
    name: `mounted on ${name}`,
    processIds: [child.pid as number],
    storeProcessIds: store.processIds,
    settings: { store: store.version, durability: store.durability },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      await store.stop();
      removeScratchFolder(folder);
    },
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'serve') {
  process.once('disconnect', () => process.exit());
  process.send?.(await serve(process.argv[3] ?? 'memory:'));
}
