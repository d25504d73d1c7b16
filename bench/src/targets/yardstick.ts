import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { RunningTarget } from './target.ts';

/** 70 bytes. */
const yardstickBody = JSON.stringify({
  active: true,
  scope: 'openid offline_access',
  client_id: 'a-client',
});

const serve = async (): Promise<void> => {
  const body = Buffer.from(yardstickBody);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  process.once('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
};

/** Starts the server whose answers are the unit of all figures: Node's own HTTP server with a fixed body. */
export const startYardstick = async (): Promise<RunningTarget> => {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['serve'], { stdio: 'inherit' });
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  return {
    name: 'yardstick',
    publicUrl: url,
    adminUrl: url,
    processIds: [child.pid as number],
    storeProcessIds: [],
    settings: { bytes: yardstickBody.length },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      child.kill('SIGTERM');
      await ended;
    },
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'serve') await serve();
