import { once } from 'node:events';
import { createServer } from 'node:net';
import { findFreePort } from './free-port.ts';
import { type Line, openLine, type ProxyMode } from './proxy-line.ts';

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
