import { type HttpConnection, openHttpConnection } from '../load/http-connection.ts';
import { UnexpectedAnswer } from './unexpected-answer.ts';

export interface Answer {
  readonly status: number;
  readonly location: string;
  /** The value of each field Set-Cookie. */
  readonly cookies: readonly string[];
  /** Read as latin1. */
  readonly body: string;
  readonly hasRetryAfter: boolean;
}

export interface HttpPool {
  /** @throws UnexpectedAnswer unless the status is one of the expected ones */
  send(request: Request, ...expected: readonly number[]): Promise<Answer>;
  close(): void;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Servers close idle connections, those of Node.js after 5 seconds: one that was idle longer than this is not used again. */
const mostIdleMs = 4_000;

const setCookie = /\r\nset-cookie: *([^\r]*)/gi;

const answerOf = (status: number, body: string, head: string): Answer => ({
  status,
  location: /\r\nlocation: *([^\r]*)/i.exec(head)?.[1] ?? '',
  cookies: Array.from(head.matchAll(setCookie), ([, value = '']) => value),
  body,
  hasRetryAfter: /\r\nretry-after: *\d/i.test(head),
});

interface Pooled {
  connection: HttpConnection | undefined;
  idleSince: number;
  isClosed: boolean;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const bytesOf = (host: string, { method, path, headers = {}, body }: Request): Buffer => {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  if (body !== undefined) head += `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${head}\r\n${body ?? ''}`);
};

const nothing = (): void => {};

/** At most so many connections to one origin, which stay open; each does one request at a time. */
export const openHttpPool = (url: string, connections: number): HttpPool => {
  const { host, hostname, port } = new URL(url);
  const idle: Pooled[] = [];
  const waiting: { resolve(pooled: Pooled): void; reject(error: Error): void }[] = [];
  let opened = 0;

  const retire = (pooled: Pooled, error: Error): void => {
    if (pooled.isClosed) return;
    pooled.isClosed = true;
    opened -= 1;
    pooled.reject(error);
    for (const caller of waiting.splice(0)) caller.reject(error);
    pooled.connection?.close();
  };
  const open = async (): Promise<Pooled> => {
    opened += 1;
    const pooled: Pooled = { connection: undefined, idleSince: 0, isClosed: false, resolve: nothing, reject: nothing };
    pooled.connection = await openHttpConnection({
      host: hostname,
      port: Number(port || 80),
      onAnswer: (status, body, head) => pooled.resolve(answerOf(status, body, head)),
      onFailure: (error) => retire(pooled, error),
    });
    return pooled;
  };
  const acquire = async (): Promise<Pooled> => {
    for (let pooled = idle.pop(); pooled !== undefined; pooled = idle.pop()) {
      if (!pooled.isClosed && performance.now() - pooled.idleSince < mostIdleMs) return pooled;
      retire(pooled, new Error('the connection was idle for too long'));
    }
    if (opened < connections) return open();
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const release = (pooled: Pooled): void => {
    pooled.idleSince = performance.now();
    const next = waiting.shift();
    if (next) next.resolve(pooled);
    else idle.push(pooled);
  };
  const exchange = (pooled: Pooled, request: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      pooled.resolve = resolve;
      pooled.reject = reject;
      pooled.connection?.send(bytesOf(host, request));
    });

  return {
    async send(request, ...expected) {
      const pooled = await acquire();
      const answer = await exchange(pooled, request);
      release(pooled);
      if (expected.includes(answer.status)) return answer;
      const { status, body, hasRetryAfter } = answer;
      const message = `${status} for ${request.method} ${request.path.split('?', 1)[0]}: ${body.slice(0, 300)}`;
      throw new UnexpectedAnswer(message, status, hasRetryAfter);
    },
    close() {
      for (const pooled of idle.splice(0)) retire(pooled, new Error('the pool is closed'));
    },
  };
};
