import type { Span } from './history.ts';
import type { Totals } from './totals.ts';

export interface PrometheusSettings {
  /** The URL of the server, without `/api`: `http://prometheus.internal:9090`. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
  /** Sent by HTTP Basic authentication, with `password`. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The labels of the series of this issuer, such as `{ job: 'carnet' }`. With several issuers `issuer`, too. Default: all series. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** How far back the pictures go. */
export type Range = 'day' | 'week';

export const rangeSeconds: Readonly<Record<Range, number>> = { day: 86_400, week: 7 * 86_400 };
const stepSeconds: Readonly<Record<Range, number>> = { day: 900, week: 7_200 };

/** A series: its labels, and its values by time in seconds since 1970. */
interface Measured {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: ReadonlyMap<number, number>;
}

/** Why there are no figures: a status, or a word. Without the URL, which the operators of one issuer must not see. */
export class PrometheusError extends Error {
  override readonly name = 'PrometheusError';
}

const timeoutMs = 5_000;
const maxAnswerBytes = 4_194_304;

const readLimited = async (response: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxAnswerBytes) throw new PrometheusError('the answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const seriesIn = (item: unknown): Measured => {
  if (!isRecord(item) || !isRecord(item.metric) || !Array.isArray(item.values))
    throw new PrometheusError('the answer is no matrix');
  const labels = Object.entries(item.metric).map(([name, value]) => [name, String(value)]);
  return {
    labels: Object.fromEntries(labels),
    values: new Map(
      item.values.map((pair: unknown) => (Array.isArray(pair) ? [Number(pair[0]), Number(pair[1])] : [0, 0])),
    ),
  };
};

const matrixIn = (text: string): readonly Measured[] => {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new PrometheusError('the answer is not JSON');
  }
  const data = isRecord(answer) ? answer.data : undefined;
  if (!isRecord(data) || !Array.isArray(data.result)) throw new PrometheusError('the answer is no matrix');
  return data.result.map(seriesIn);
};

const authorizationOf = ({ token, username, password = '' }: PrometheusSettings): string | undefined => {
  // The error of `fetch` would quote a header with another character, and it is logged.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('The token for Prometheus has spaces, line breaks or characters beyond ASCII.');
  if (token !== undefined) return `Bearer ${token}`;
  return username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
};

/** Sends range queries. The time limit is that of all of them. */
const createQuery = (settings: PrometheusSettings) => {
  const target = new URL(`${settings.url.replace(/\/+$/, '')}/api/v1/query_range`);
  // The error of `fetch` would have them, and it is logged.
  if (target.username !== '' || target.password !== '')
    throw new TypeError('The URL of Prometheus has credentials: use `username` and `password`.');
  const authorization = authorizationOf(settings);
  return async (parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<readonly Measured[]> => {
    const response = await fetch(target, {
      method: 'POST',
      headers: { accept: 'application/json', ...(authorization !== undefined && { authorization }) },
      body: new URLSearchParams(parameters),
      // The one step that keeps the credentials at the server of the configuration: a redirect is not followed.
      redirect: 'error',
      cache: 'no-store',
      signal,
    });
    if (response.ok) return matrixIn(await readLimited(response));
    await response.body?.cancel();
    throw new PrometheusError(`HTTP ${response.status}`);
  };
};

const requests = 'http_server_request_duration_seconds';

/** The expressions by name. Each is summed over the processes. `…` becomes the matchers of the labels, and `[span]` the span of a value. */
const expressions = {
  logins: 'sum(increase(carnet_audit_events_total{action="login",outcome="success",…}[span]))',
  refusals: 'sum(increase(carnet_audit_events_total{outcome="denied",…}[span]))',
  requests: `sum(increase(${requests}_count{listener="public",…}[span]))`,
  errors: `sum(increase(${requests}_count{listener="public",http_response_status_code=~"5..",…}[span]))`,
  durations: `sum by (le) (increase(${requests}_bucket{listener="public",…}[span]))`,
  methods: 'sum by (action) (increase(carnet_audit_events_total{action=~"sign_in[.].+",outcome="success",…}[span]))',
} as const;

type Name = keyof typeof expressions;

/** `JSON.stringify` writes strings as PromQL reads them: no value of a label ends its string. */
const matchersOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');

/** The counts of the span that ends at `time`. Undefined if no process was measured. */
const totalsAt = (answers: ReadonlyMap<string, readonly Measured[]>, time: number): Totals | undefined => {
  const found = (name: Name): readonly Measured[] => answers.get(name) ?? [];
  const countIn = ({ values }: Measured): number => values.get(time) ?? 0;
  // `increase` extrapolates to the borders of the span.
  const sum = (name: Name): number => Math.round(found(name).reduce((total, each) => total + countIn(each), 0));
  if (!found('requests').some(({ values }) => values.has(time))) return undefined;
  const durations = found('durations').map(
    (each) => [each.labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(each.labels.le), countIn(each)] as const,
  );
  return {
    ...{ logins: sum('logins'), refusals: sum('refusals'), requests: sum('requests'), errors: sum('errors') },
    memory: 0,
    durations: durations.toSorted(([left], [right]) => left - right),
    methods: Object.fromEntries(
      found('methods').map((each) => [(each.labels.action ?? '').slice('sign_in.'.length), Math.round(countIn(each))]),
    ),
  };
};

const wordOf = (error: unknown): string => {
  if (error instanceof PrometheusError) return error.message;
  return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'no connection';
};

export interface Prometheus {
  /** The counts of a range, oldest first. @throws PrometheusError */
  spans(range: Range): Promise<readonly Span[]>;
}

/** The figures that a Prometheus server has stored. */
export const openPrometheus = (settings: PrometheusSettings, now: () => number): Prometheus => {
  const query = createQuery(settings);
  const matchers = matchersOf(settings.labels ?? {});
  const read = async (range: Range): Promise<readonly Span[]> => {
    const [whole, step] = [rangeSeconds[range], stepSeconds[range]];
    const end = Math.floor(now() / 60_000) * 60;
    const times = Array.from({ length: whole / step }, (_, at) => end - whole + (at + 1) * step);
    const bounds = { start: String(times[0]), end: String(end), step: String(step) };
    const signal = AbortSignal.timeout(timeoutMs);
    const answers = await Promise.all(
      Object.entries(expressions).map(async ([name, expression]) => {
        const completed = expression.replace('[span]', `[${step}s]`).replace('…', () => matchers);
        return [name, await query({ query: completed, ...bounds }, signal)] as const;
      }),
    );
    const found = new Map(answers);
    return times.map((time) => ({ at: time * 1_000, seconds: step, totals: totalsAt(found, time) }));
  };
  return {
    spans: (range) =>
      read(range).catch((cause: unknown) => {
        throw new PrometheusError(wordOf(cause), { cause });
      }),
  };
};
