import { expect, test } from 'vitest';
import { openHistory } from './history.ts';
import { parseMetrics } from './metrics-text.ts';
import { between, p95, totalsIn } from './totals.ts';

const textOf = (logins: number, fast: number, slow: number, failed = 0) => `# HELP carnet_audit_events_total x
# TYPE carnet_audit_events_total counter
carnet_audit_events_total{action="login",outcome="success"} ${logins}
carnet_audit_events_total{action="token",outcome="denied"} 2
carnet_audit_events_total{action="sign_in.password",outcome="success"} 5
http_server_request_duration_seconds_bucket{le="0.01",listener="public",http_route="/a"} ${fast}
http_server_request_duration_seconds_bucket{le="0.1",listener="public",http_route="/a"} ${fast + slow}
http_server_request_duration_seconds_bucket{le="+Inf",listener="public",http_route="/a"} ${fast + slow}
http_server_request_duration_seconds_bucket{le="+Inf",listener="admin",http_route="/a"} 1000
http_server_request_duration_seconds_count{listener="public",http_response_status_code="200"} ${fast + slow - failed}
http_server_request_duration_seconds_count{listener="public",http_response_status_code="503"} ${failed}
process_resident_memory_bytes 1048576
`;

test('a label may have quotes, braces and line breaks', () => {
  const [measured] = parseMetrics('a_total{b="x\\"}\\n\\\\",c="d"} 3');
  expect(measured).toEqual({ name: 'a_total', labels: { b: 'x"}\n\\', c: 'd' }, value: 3 });
});

test('the counters of public requests are read, and not those of the admin API', () => {
  const totals = totalsIn(textOf(7, 90, 10, 3));
  expect(totals).toMatchObject({ logins: 7, refusals: 2, requests: 100, errors: 3, methods: { password: 5 } });
  expect(totals.durations.at(-1)).toEqual([Number.POSITIVE_INFINITY, 100]);
});

test('the percentile is interpolated in its bucket', () => {
  expect(p95(totalsIn(textOf(0, 90, 10)))).toBeCloseTo(0.055);
  expect(p95(totalsIn(textOf(0, 0, 0)))).toBeUndefined();
});

test('counters that were set back by a restart count nothing', () => {
  expect(between(totalsIn(textOf(7, 90, 10)), totalsIn(textOf(3, 20, 0)))).toMatchObject({ logins: 0, requests: 0 });
});

test('the history has minutes at first, then quarters of an hour, and one day at most', async () => {
  let at = Date.parse('2026-11-26T00:00:00Z');
  let logins = 0;
  const server = { metrics: async () => textOf(logins, 0, 0) };
  const history = openHistory({ server, logger: { warn: () => {} }, now: () => at, signal: AbortSignal.abort() });
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await history.sample();
      at += 60_000;
      logins += 1;
    }
  };
  await pass(3);
  expect(history.spans().map(({ totals }) => totals?.logins)).toEqual([1, 1]);
  await pass(30 * 60);
  const spans = history.spans();
  expect(spans.length).toBeGreaterThan(90);
  expect(spans.length).toBeLessThan(100);
  expect(spans.at(-2)?.totals?.logins).toBe(15);
  expect(history.total()?.seconds).toBe(86_400);
});
