import { type Measured, parseMetrics } from './metrics-text.ts';

/** The counters of all processes since their start. */
export interface Totals {
  readonly logins: number;
  readonly refusals: number;
  readonly requests: number;
  /** Requests that were answered with 5xx. */
  readonly errors: number;
  /** How many requests took at most this many seconds. The last bound is infinite. */
  readonly durations: readonly (readonly [atMost: number, count: number])[];
  /** Successful steps of sign-ins, by their method: `password`, `passkey` ... */
  readonly methods: Readonly<Record<string, number>>;
  /** Bytes. */
  readonly memory: number;
}

const sum = (values: readonly Measured[]): number => values.reduce((total, { value }) => total + value, 0);

const requestsName = 'http_server_request_duration_seconds';

const addedCounts = <Key>(from: readonly (readonly [Key, number])[]): Map<Key, number> => {
  const counts = new Map<Key, number>();
  for (const [key, count] of from) counts.set(key, (counts.get(key) ?? 0) + count);
  return counts;
};

const addedBy = (values: readonly Measured[], keyOf: (measured: Measured) => string): Map<string, number> =>
  addedCounts(values.map((each) => [keyOf(each), each.value]));

/** Reads the counters from the text format of Prometheus. */
export const totalsIn = (text: string): Totals => {
  const measured = parseMetrics(text);
  const named = (name: string) => measured.filter((each) => each.name === name);
  const audited = named('carnet_audit_events_total');
  const isPublic = ({ labels }: Measured): boolean => labels.listener === 'public';
  const counts = named(`${requestsName}_count`).filter(isPublic);
  const buckets = addedBy(named(`${requestsName}_bucket`).filter(isPublic), ({ labels }) => labels.le ?? '');
  const steps = audited.filter(({ labels }) => labels.action?.startsWith('sign_in.') && labels.outcome === 'success');
  return {
    logins: sum(audited.filter(({ labels }) => labels.action === 'login' && labels.outcome === 'success')),
    refusals: sum(audited.filter(({ labels }) => labels.outcome === 'denied')),
    requests: sum(counts),
    errors: sum(counts.filter(({ labels }) => labels.http_response_status_code?.startsWith('5'))),
    durations: [...buckets]
      .map(([bound, count]) => [bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), count] as const)
      .toSorted(([left], [right]) => left - right),
    methods: Object.fromEntries(addedBy(steps, ({ labels }) => (labels.action ?? '').slice('sign_in.'.length))),
    memory: sum(named('process_resident_memory_bytes')),
  };
};

/** A counter that has become smaller belongs to processes that were started again: nothing is known about the time between. */
const grown = (from: number, to: number): number => Math.max(0, to - from);

/** The counts between two readings. */
export const between = (from: Totals, to: Totals): Totals => {
  const before = new Map(from.durations);
  return {
    logins: grown(from.logins, to.logins),
    refusals: grown(from.refusals, to.refusals),
    requests: grown(from.requests, to.requests),
    errors: grown(from.errors, to.errors),
    durations: to.durations.map(([bound, count]) => [bound, grown(before.get(bound) ?? 0, count)] as const),
    methods: Object.fromEntries(
      Object.entries(to.methods).map(([method, count]) => [method, grown(from.methods[method] ?? 0, count)]),
    ),
    memory: to.memory,
  };
};

/** The 95th percentile in seconds, interpolated in its bucket as Prometheus does it. Undefined without requests. */
export const p95 = ({ durations }: Pick<Totals, 'durations'>): number | undefined => {
  const total = durations.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const rank = 0.95 * total;
  const at = durations.findIndex(([, count]) => count >= rank);
  const [bound, count] = durations[at] ?? [0, 0];
  const [lower, below] = durations[at - 1] ?? [0, 0];
  return bound === Number.POSITIVE_INFINITY ? lower : lower + ((bound - lower) * (rank - below)) / (count - below || 1);
};

/** The counts of several spans in one. */
export const addedTotals = (all: readonly Totals[]): Totals => {
  const added = (of: (totals: Totals) => number): number => all.reduce((total, each) => total + of(each), 0);
  return {
    logins: added(({ logins }) => logins),
    refusals: added(({ refusals }) => refusals),
    requests: added(({ requests }) => requests),
    errors: added(({ errors }) => errors),
    durations: [...addedCounts(all.flatMap(({ durations }) => durations))].toSorted(([left], [right]) => left - right),
    methods: Object.fromEntries(addedCounts(all.flatMap(({ methods }) => Object.entries(methods)))),
    memory: all.at(-1)?.memory ?? 0,
  };
};
