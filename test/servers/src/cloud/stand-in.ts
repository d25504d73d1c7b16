import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../listen.ts';

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
  /** Undefined ends the outage, and so does the function that is returned. */
  setOutage(outage: Outage | undefined): () => Promise<void>;
  close(): Promise<void>;
}

export interface StandInOptions {
  /** Default: 0. */
  readonly latencyMs?: number;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** With events: an iterator of the request would take longer than the signature. */
const onBody = (request: IncomingMessage, take: (body: unknown) => void): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => take(parseJson(Buffer.concat(chunks).toString())));
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
  const server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://stand-in');
    const { method = '', headers } = request;
    if (latency === 0) requests.push(`${method} ${pathname}`);
    if (outage === 'refuse') return void request.socket.destroy();
    if (outage === 'hang') return;
    if (outage !== undefined) return send(response, { status: outage, body: undefined });
    const arrivedAt = performance.now();
    onBody(request, (body) => {
      const answered = answer({ method, path: decodeURIComponent(pathname), query, headers, body });
      if (latency === 0) return send(response, answered);
      // The time that the signature took is part of the latency.
      setTimeout(send, Math.max(0, latency - (performance.now() - arrivedAt)), response, answered);
    });
  });
  const { origin, close } = await listen(server);
  return {
    url: origin,
    requests,
    setLatency(ms) {
      latency = ms;
    },
    setOutage(next) {
      outage = next;
      if (next !== undefined) server.closeAllConnections();
      return async () => {
        outage = undefined;
      };
    },
    close,
  };
};
