import autocannon from 'autocannon';
import type { RequestWork } from '../scenarios/scenario.ts';
import { createLatencies } from './latencies.ts';
import type { Load, Measured } from './load.ts';

const requestsOf = (
  { url, authorizations = [], bodies = [], queries = [], method = 'GET', headers, status = 200, isRight }: RequestWork,
  wrong: () => void,
) => {
  const { pathname, search } = new URL(url);
  const count = Math.max(authorizations.length, bodies.length, queries.length, 1);
  const authorized = authorizations.map((authorization) => ({ ...headers, authorization }));
  return Array.from({ length: count }, (_, index) => ({
    method,
    path: pathname + search + (queries[index % queries.length] ?? ''),
    headers: authorized[index % authorized.length] ?? headers,
    body: bodies[index % bodies.length],
    onResponse: (answered: number, body: string) => {
      if (answered !== status || isRight?.(body) === false) wrong();
    },
  }));
};

/** So many of them, beginning at `start`, over the end to the beginning. */
const slice = <T>(all: readonly T[], start: number, count: number): readonly T[] =>
  Array.from({ length: Math.min(count, all.length) }, (_, index) => all[(start + index) % all.length] as T);

/** Each connection sends its next request when it has its answer. @throws Error unless every answer is right */
export const runAutocannon = async (work: RequestWork, { amount, connections }: Load): Promise<Measured> => {
  let wrong = 0;
  const latencies = createLatencies();
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const requests = requestsOf(work, () => {
    wrong += 1;
  });
  const perConnection = Math.ceil(amount / connections);
  let begun = 0;
  // A promise that emits events too, which its types do not say.
  const run = autocannon({
    url: new URL(work.url).origin,
    amount,
    connections,
    requests: requests.slice(0, 1) as never,
    // Each connection begins elsewhere, so that many clients, say, are many at once.
    setupClient: (client) => {
      client.setRequests(slice(requests, begun, perConnection) as never);
      begun += perConnection;
    },
  }) as unknown as Promise<autocannon.Result> & NodeJS.EventEmitter;
  // autocannon itself ends at its next full second.
  let endedAt = startedAt;
  run.on('response', (_client, _status, _bytes, milliseconds: number) => {
    endedAt = performance.now();
    latencies.record(milliseconds);
  });
  const result = await run;
  const seconds = (endedAt - startedAt) / 1_000;
  const failed = wrong + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} of ${amount} answers of ${work.url} were wrong`);
  const cpu = process.cpuUsage(cpuBefore);
  return { count: amount, seconds, latencies, generatorCpuMicroseconds: cpu.user + cpu.system };
};
