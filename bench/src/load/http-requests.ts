import type { RequestWork } from '../scenarios/scenario.ts';
import { type HttpConnection, openHttpConnection } from './http-connection.ts';
import type { Run } from './load.ts';

export interface OpenWork {
  readonly run: Run;
  close(): Promise<void>;
}

const headersOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** The bytes of each request, made once. */
const requestsOf = (work: RequestWork): readonly Buffer[] => {
  const { url, authorizations = [], bodies = [], queries = [], method = 'GET', headers = {} } = work;
  const { host, pathname, search } = new URL(url);
  const fixed = headersOf({ Host: host, ...headers });
  const count = Math.max(authorizations.length, bodies.length, queries.length, 1);
  return Array.from({ length: count }, (_, index) => {
    const path = pathname + search + (queries[index % queries.length] ?? '');
    const authorization = authorizations[index % authorizations.length];
    const body = bodies[index % bodies.length];
    const own = headersOf({
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    });
    return Buffer.from(`${method} ${path} HTTP/1.1\r\n${fixed}${own}\r\n${body ?? ''}`);
  });
};

interface Asked {
  resolve(): void;
  reject(error: Error): void;
}

/** The requests of the work, in turn, each over a connection that is free; it waits for one where all are in use. */
export const openHttpRequests = async (work: RequestWork, connections: number): Promise<OpenWork> => {
  const { hostname: host, port } = new URL(work.url);
  const { status = 200, isRight } = work;
  const requests = requestsOf(work);
  const opened: HttpConnection[] = [];
  const idle: number[] = [];
  const asked = new Map<number, Asked>();
  const waiting: Asked[] = [];
  let next = 0;
  let failure: Error | undefined;

  const send = (index: number, caller: Asked): void => {
    asked.set(index, caller);
    opened[index]?.send(requests[next++ % requests.length] as Buffer);
  };
  const answer = (index: number, answered: number, body: string): void => {
    const caller = asked.get(index);
    const queued = waiting.shift();
    if (queued) send(index, queued);
    else idle.push(index);
    if (answered === status && isRight?.(body) !== false) caller?.resolve();
    else caller?.reject(new Error(`${answered} from ${work.url}: ${body.slice(0, 300)}`));
  };
  /** A server that closes connections under load cannot be measured: everything fails. */
  const fail = (error: Error): void => {
    failure ??= new Error(`${work.url}: ${error.message}`, { cause: error });
    for (const caller of [...asked.values(), ...waiting.splice(0)]) caller.reject(failure);
  };
  const open = (index: number): Promise<HttpConnection> =>
    openHttpConnection({
      host,
      port: Number(port || 80),
      onFailure: fail,
      onAnswer: (answered, body) => answer(index, answered, body),
    });
  opened.push(...(await Promise.all(Array.from({ length: connections }, (_, index) => open(index)))));
  idle.push(...opened.keys());

  return {
    run: () =>
      new Promise((resolve, reject) => {
        const caller = { resolve, reject };
        const index = idle.pop();
        if (failure) reject(failure);
        else if (index === undefined) waiting.push(caller);
        else send(index, caller);
      }),
    async close() {
      for (const connection of opened) connection.close();
    },
  };
};
