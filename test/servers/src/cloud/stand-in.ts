import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandInRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON of the body, or undefined. */
  readonly body: unknown;
}

export interface StandInAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** `refuse`: the connection is closed. `hang`: there is no answer. A number: that status, without a body. */
export type Outage = 'refuse' | 'hang' | number;

/** A service that is not run here, with real keys. Its answers are as strict as those of the service. */
export interface StandIn {
  readonly url: string;
  /** Each request, as `METHOD path`. Empty while `latencyMs` is set, for measurements. */
  readonly requests: readonly string[];
  /** Delays each answer. */
  setLatency(ms: number): void;
  /** Undefined ends the outage. */
  setOutage(outage: Outage | undefined): void;
  close(): Promise<void>;
}

export interface StandInOptions {
  /** Default: 0. */
  readonly latencyMs?: number;
}

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (chunks.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
};

const send = (response: ServerResponse, { status, body }: StandInAnswer): void => {
  const text = body === undefined ? '' : JSON.stringify(body);
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
};

/** Serves `answer` on loopback. */
export const startStandIn = async (
  answer: (request: StandInRequest) => StandInAnswer,
  { latencyMs = 0 }: StandInOptions,
): Promise<StandIn> => {
  const requests: string[] = [];
  let latency = latencyMs;
  let outage: Outage | undefined;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const { method = '', headers } = request;
    if (latency === 0) requests.push(`${method} ${pathname}`);
    if (outage === 'refuse') return void request.socket.destroy();
    if (outage === 'hang') return;
    if (outage !== undefined) return send(response, { status: outage, body: undefined });
    const arrivedAt = performance.now();
    const body = await readBody(request);
    const answered = answer({ method, path: decodeURIComponent(pathname), query: searchParams, headers, body });
    if (latency === 0) return send(response, answered);
    // The time that the signature took is part of the latency.
    setTimeout(send, Math.max(0, latency - (performance.now() - arrivedAt)), response, answered);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setLatency(ms) {
      latency = ms;
    },
    setOutage(next) {
      outage = next;
      if (next !== undefined) server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
