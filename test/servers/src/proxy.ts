import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

/**
 * How the proxy treats its connections, those that are open included:
 * - `pass`: forwards.
 * - `silent`: accepts and reads, and forwards nothing, in either direction; not even that the server has hung up.
 * - `refuse`: resets every connection and takes no new one.
 * - `delayMs`: each chunk of the server's answers is that much later. Followed by `refuse`, what the server has done
 *   meanwhile is done, and its answer lost.
 */
export type ProxyMode = 'pass' | 'silent' | 'refuse' | { readonly delayMs: number };

/** One client's connection through the proxy. */
interface Line {
  /** Whether something was swallowed: what follows would make no sense to the other side. */
  hasLost(): boolean;
  reset(): void;
}

/** Connects a client to the target. The mode is asked again for each chunk, in the moment it is handed on. */
const openLine = (client: Socket, target: number, mode: () => ProxyMode): Line => {
  const server = connect({ port: target, host: '127.0.0.1', noDelay: true });
  client.setNoDelay(true);
  let lost = false;
  /** Settles when all that the server has said so far is handed on. */
  let said: Promise<unknown> = Promise.resolve();

  const unlessSilent = (forward: () => void) => {
    if (mode() === 'silent') lost = true;
    else forward();
  };
  const later = (forward: () => void) => {
    const current = mode();
    const delay = typeof current === 'object' ? pause(current.delayMs, undefined, { ref: false }) : undefined;
    said = Promise.all([said, delay]).then(() => unlessSilent(forward));
  };

  client.on('data', (chunk) => unlessSilent(() => server.write(chunk)));
  client.once('close', () => server.end());
  server.on('data', (chunk) => later(() => client.write(chunk)));
  server.once('close', () => later(() => client.end()));
  // Errors are followed by `close`.
  for (const socket of [client, server]) socket.on('error', () => {});
  return {
    hasLost: () => lost,
    reset() {
      client.resetAndDestroy();
      server.destroy();
    },
  };
};

/** A TCP proxy on 127.0.0.1 that misbehaves when it is told to. */
export interface TestProxy {
  readonly port: number;
  /** Resolves when it is so. After `silent`, connections on which something was swallowed are reset. */
  set(mode: ProxyMode): Promise<void>;
  /** How many connections of clients are open. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a proxy to a port of 127.0.0.1, where something need not listen yet. */
export const startProxy = async ({ port: target }: { readonly port: number }): Promise<TestProxy> => {
  let mode: ProxyMode = 'pass';
  const lines = new Set<Line>();
  const server = createServer((client) => {
    const line = openLine(client, target, () => mode);
    lines.add(line);
    client.once('close', () => lines.delete(line));
  });
  const port = await findFreePort();

  const listen = async () => {
    if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  const refuse = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const line of lines) line.reset();
    await closed;
  };

  await listen();
  return {
    port,
    async set(next) {
      mode = next;
      if (mode === 'refuse') return refuse();
      await listen();
      if (mode !== 'silent') for (const line of lines) if (line.hasLost()) line.reset();
    },
    connections: () => lines.size,
    close: refuse,
  };
};
