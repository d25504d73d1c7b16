import { type PrometheusServer, startPrometheus, waitUntil } from '@carnet/test-servers';
import { listen } from '@carnet/test-servers/listen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrometheus } from '../src/charts/prometheus.ts';
import { devConfig, startConsole } from './start-console.ts';

const credentials = { username: 'console', password: 'the password of the console' };
const now = Math.floor(Date.now() / 60_000) * 60_000;
const hour = 3_600_000;

/** Counters that grow by one each minute for two days, until an hour ago. Those of the issuer `acme` grow twice as fast. */
const pastMetrics = (): string => {
  const times = Array.from(
    { length: 47 * 60 },
    (_, minute) => [minute + 1, (now - 48 * hour) / 1_000 + minute * 60] as const,
  );
  const series = (name: string, labels: string, by: number) =>
    times.map(([count, at]) => `${name}{${labels},job="past"} ${count * by} ${at}`);
  const requests = (labels: string, by: number) => [
    ...series(
      'http_server_request_duration_seconds_count',
      `listener="public",http_response_status_code="200",${labels}`,
      by * 9,
    ),
    ...series(
      'http_server_request_duration_seconds_count',
      `listener="public",http_response_status_code="503",${labels}`,
      by,
    ),
  ];
  const buckets = (
    [
      ['0.01', 5],
      ['0.1', 10],
      ['+Inf', 10],
    ] as const
  ).flatMap(([le, by]) =>
    series('http_server_request_duration_seconds_bucket', `listener="public",issuer="acme",le="${le}"`, by),
  );
  const audited = (action: string, outcome: string, issuer: string, by: number) =>
    series('carnet_audit_events_total', `action="${action}",outcome="${outcome}",issuer="${issuer}"`, by);
  return [
    '# TYPE http_server_request_duration_seconds histogram',
    ...[...requests('issuer=""', 1), ...requests('issuer="acme"', 2), ...buckets],
    '# TYPE carnet_audit_events counter',
    ...[...audited('login', 'success', '', 1), ...audited('login', 'success', 'acme', 2)],
    ...[...audited('sign_in.password', 'success', 'acme', 1), ...audited('sign_in.password', 'denied', 'acme', 3)],
    '# EOF\n',
  ].join('\n');
};

let prometheus: PrometheusServer;
let running: Awaited<ReturnType<typeof start>>;
const start = async () => {
  const console = await startConsole();
  return { ...console, metrics: await listen(console.carnet.metricsCallback()) };
};
beforeAll(async () => {
  running = await start();
  prometheus = await startPrometheus({ metricsPort: running.metrics.port, past: pastMetrics(), ...credentials });
});
afterAll(async () => {
  await prometheus?.close();
  await running.metrics.close();
  await running.carnet.close();
});

const spansOf = (labels: Record<string, string>, range: 'day' | 'week' = 'day') =>
  openPrometheus({ url: prometheus.url, ...credentials, labels }, () => now).spans(range);

test('a day is shown in quarters of an hour, with those that were not measured', async () => {
  const spans = await spansOf({ job: 'past' });
  expect(spans).toHaveLength(96);
  expect(spans.at(10)?.totals).toMatchObject({ logins: 45, refusals: 45, requests: 450, errors: 45 });
  expect(spans.at(10)?.totals?.methods).toEqual({ password: 15 });
  expect(spans.at(-1)).toMatchObject({ at: now, totals: undefined });
});

test('the series of one issuer are read alone, whatever its label is', async () => {
  const [span] = await spansOf({ job: 'past', issuer: 'acme' });
  expect(span?.totals).toMatchObject({ logins: 30, refusals: 45, requests: 300, errors: 30 });
  expect(span?.totals?.durations.map(([bound]) => bound)).toEqual([0.01, 0.1, Number.POSITIVE_INFINITY]);
  expect((await spansOf({ job: 'past', issuer: '' })).at(0)?.totals).toMatchObject({ logins: 15, requests: 150 });
  const hostile = await spansOf({ job: 'past', issuer: 'x"} or carnet_audit_events_total{issuer="acme' });
  expect(hostile.every(({ totals }) => totals === undefined)).toBe(true);
});

test('a week is shown in spans of two hours', async () => {
  const spans = await spansOf({ job: 'past' }, 'week');
  expect(spans).toHaveLength(84);
  expect(spans.at(0)?.totals).toBeUndefined();
  expect(spans.at(-3)?.totals).toMatchObject({ logins: 360 });
});

test('the metrics of Carnet are those that the queries name, and the overview draws them', async () => {
  const stored = openPrometheus(
    { url: prometheus.url, ...credentials, labels: { job: 'carnet' } },
    () => Date.now() + 60_000,
  );
  await waitUntil('requests in Prometheus', async () => {
    await running.carnet.fetch(new Request(`${devConfig.issuer}/.well-known/openid-configuration`));
    const totals = (await stored.spans('day')).at(-1)?.totals;
    return (totals?.requests ?? 0) > 0 && (totals?.durations.at(-1)?.[1] ?? 0) > 0;
  });
  const { get, carnet } = await startConsole({}, undefined, { prometheus: stored });
  const page = await (await get('/?range=week')).text();
  expect(page).toContain('aria-current="true">7 days');
  expect(page).toContain('<svg');
  await carnet.close();
});

test('wrong credentials and a server that is down are named, and the figures in memory are shown', async () => {
  const wrong = openPrometheus({ url: prometheus.url, username: 'console', password: 'another' }, Date.now);
  await expect(wrong.spans('day')).rejects.toThrow(/^HTTP 401$/);
  await prometheus.kill();
  await expect(spansOf({})).rejects.toThrow(/^no connection$/);
});
