import type { IncomingMessage, ServerResponse } from 'node:http';

/** Seconds, as for the requests of the server, so that one rule or panel covers both. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The first segments of the paths of the pages. All other paths have one label: a caller must not choose labels. */
const pages = new Set([
  'account',
  'brand',
  'consent',
  'device',
  'error',
  'login',
  'logout',
  'recovery',
  'sign-up',
  '_next',
]);
const methods = new Set(['GET', 'HEAD', 'POST']);

const routeOf = (url = '/'): string => {
  const first = url.split(/[/?]/, 2)[1] ?? '';
  if (first === '') return '/';
  return pages.has(first) ? `/${first}` : 'other';
};

interface Series {
  readonly counts: number[];
  count: number;
  sum: number;
}

/** The requests to the pages, in the text format of Prometheus. */
export interface PageMetrics {
  /** Measures a request until its response has ended. */
  observe(request: IncomingMessage, response: ServerResponse): void;
  render(): string;
}

const name = 'http_server_request_duration_seconds';

const linesOf = (labels: string, { counts, count, sum }: Series): readonly string[] => [
  ...buckets.map((bucket, index) => `${name}_bucket{${labels},le="${bucket}"} ${counts[index]}`),
  `${name}_bucket{${labels},le="+Inf"} ${count}`,
  `${name}_sum{${labels}} ${sum}`,
  `${name}_count{${labels}} ${count}`,
];

const gauges = (): readonly string[] => [
  '# HELP process_resident_memory_bytes The resident memory of the process.',
  '# TYPE process_resident_memory_bytes gauge',
  `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
  '# HELP process_cpu_seconds_total The CPU time of the process.',
  '# TYPE process_cpu_seconds_total counter',
  `process_cpu_seconds_total ${process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6}`,
];

export const createPageMetrics = (): PageMetrics => {
  const series = new Map<string, Series>();

  const add = (labels: string, seconds: number): void => {
    const found = series.get(labels) ?? { counts: buckets.map(() => 0), count: 0, sum: 0 };
    series.set(labels, found);
    for (const [index, bucket] of buckets.entries())
      if (seconds <= bucket) found.counts[index] = (found.counts[index] ?? 0) + 1;
    found.count += 1;
    found.sum += seconds;
  };

  return {
    observe(request, response) {
      const startedAt = performance.now();
      const method = methods.has(request.method ?? '') ? request.method : 'other';
      const route = routeOf(request.url);
      response.once('close', () => {
        // 499: the browser closed the connection before the response was complete.
        const status = response.writableFinished ? response.statusCode : 499;
        const labels = `listener="pages",http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`;
        add(labels, (performance.now() - startedAt) / 1000);
      });
    },
    render: () =>
      [
        `# HELP ${name} The duration of requests.`,
        `# TYPE ${name} histogram`,
        ...[...series].flatMap(([labels, found]) => linesOf(labels, found)),
        ...gauges(),
        '',
      ].join('\n'),
  };
};
