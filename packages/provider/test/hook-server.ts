import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './login.ts';

export interface HookCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

export interface HookAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Never answers. */
  readonly hangs?: true;
}

/** Where token hooks are asked; it says what it is told to say. */
export const startHookServer = async () => {
  const calls: HookCall[] = [];
  let answer: HookAnswer = { status: 204 };
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    calls.push({ headers: req.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Json });
    if (answer.hangs) return;
    res.writeHead(answer.status);
    res.end(typeof answer.body === 'string' ? answer.body : answer.body && JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    say: (next: HookAnswer) => {
      answer = next;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
