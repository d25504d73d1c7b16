import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { AuditEvent } from './audit.ts';
import { createHistogram } from './histogram.ts';
import type { RequestLine } from './logger.ts';
import type { Readings } from './readings.ts';

/**
 * The declarations of all metrics. Names and labels follow the semantic conventions of OpenTelemetry in the form of
 * Prometheus; units are seconds and bytes. No label has a value that an unauthenticated caller chooses: routes are
 * patterns, and methods and reasons come from closed lists.
 */
const declared = {
  requests: {
    name: 'http_server_request_duration_seconds',
    help: 'The duration of requests.',
    labelNames: ['listener', 'http_request_method', 'http_route', 'http_response_status_code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  store: {
    name: 'db_client_operation_duration_seconds',
    help: 'The duration of calls to the store.',
    labelNames: ['db_operation_name', 'error_type'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  },
  outbound: {
    name: 'http_client_request_duration_seconds',
    help: 'The duration of outbound requests to other servers.',
    labelNames: ['carnet_purpose', 'error_type'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  directory: {
    name: 'carnet_directory_operation_duration_seconds',
    help: 'The duration of calls to user directories.',
    labelNames: ['directory', 'step', 'error_type'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  },
  signer: {
    name: 'carnet_signer_operation_duration_seconds',
    help: 'The duration of calls to signing services, with their repetition.',
    labelNames: ['service', 'operation', 'error_type'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  signIns: {
    name: 'carnet_sign_in_steps_total',
    help: 'The steps of sign-ins, by the method of the step and the state after it.',
    labelNames: ['method', 'result'],
  },
  userCache: {
    name: 'carnet_user_cache_lookups_total',
    help: 'The lookups in the user cache.',
    labelNames: ['directory', 'result'],
  },
  audit: {
    name: 'carnet_audit_events_total',
    help: 'The audited events, as in the audit records.',
    labelNames: ['action', 'outcome'],
  },
} as const;

const readings: Readonly<Record<string, { readonly help: string; readonly read: (from: Readings) => number }>> = {
  carnet_client_reads_total: { help: 'Clients read from the store.', read: (from) => from.clientReads },
  carnet_client_parses_total: { help: 'Stored clients parsed.', read: (from) => from.clientParses },
  carnet_client_instantiations_total: {
    help: 'Stored clients instantiated.',
    read: (from) => from.clientInstantiations,
  },
  carnet_sweep_removed_total: { help: 'Expired records removed.', read: (from) => from.sweep.removed },
  carnet_sweep_left: {
    help: 'Expired records after the last sweep, counted up to 10,000.',
    read: (from) => from.sweep.left,
  },
};

/** The route is a pattern; undefined if there was none. */
interface RequestMeasurement extends Pick<RequestLine, 'method' | 'status' | 'durationMs'> {
  readonly route: string | undefined;
}

interface SignerMeasurement {
  readonly service: string;
  readonly operation: string;
  readonly durationMs: number;
  readonly failure: string | undefined;
}

/** The metrics of one process, to be added to those of others. */
export type MetricsSnapshot = readonly object[];

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const errorType = (error: unknown): string => {
  if (error === undefined) return '';
  return error instanceof Error ? error.name : '_OTHER';
};

let ofProcess: Registry | undefined;

/** CPU, memory, event loop, garbage collection: once a process, however many providers it has. */
const processRegistry = (): Registry => {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
};

export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The text that Prometheus reads, of one process or of several added up. */
export const renderMetrics = (snapshots: readonly MetricsSnapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate(snapshots as never).metrics();

/** The readings in the form in which prom-client aggregates metrics. */
const snapshotOf = (from: Readings): MetricsSnapshot =>
  Object.entries(readings).map(([name, { help, read }]) => ({
    name,
    help,
    type: name.endsWith('_total') ? 'counter' : 'gauge',
    aggregator: 'sum',
    values: [{ labels: {}, value: read(from) }],
  }));

/** The number of issuers with a label of their own: each adds its series for ever. */
const maxIssuers = 100;
/** The label of further issuers. */
const others = 'other';

/** The label of an issuer. Empty for the first one and for work for all: Prometheus treats it like a missing label. */
const createIssuerLabels = () => {
  const labels = new Set(['']);
  return (issuer: string): string => {
    if (labels.size <= maxIssuers && issuer !== others) labels.add(issuer);
    return labels.has(issuer) ? issuer : others;
  };
};

const createSeries = (byIssuer: boolean) => {
  const registry = new Registry();
  const declare = <Declared extends { readonly labelNames: readonly string[] }>(metric: Declared) => ({
    ...metric,
    labelNames: [...metric.labelNames, ...(byIssuer ? ['issuer'] : [])],
    registers: [registry],
  });
  const { requests, store, outbound, directory, signer, signIns, userCache, audit } = declared;
  const histograms = {
    requests: createHistogram(declare(requests)),
    store: createHistogram(declare(store)),
    outbound: createHistogram(declare(outbound)),
    directory: createHistogram(declare(directory)),
    signer: createHistogram(declare(signer)),
  };
  return {
    ...histograms,
    signIns: new Counter<string>(declare(signIns)),
    userCache: new Counter<string>(declare(userCache)),
    audit: new Counter<string>(declare(audit)),
    snapshot: async () => [
      ...Object.values(histograms).map((histogram) => histogram.snapshot()),
      ...(await registry.getMetricsAsJSON()),
    ],
  };
};

/** Counts for the parts of one provider. `issuer`: the value of the label. Undefined: there is none. */
const createMeters = (series: ReturnType<typeof createSeries>, issuer: string | undefined) => {
  const label = issuer === undefined ? {} : { issuer };
  const last = Object.values(label);
  return {
    request: (listener: 'public' | 'admin', { method, route = '', status, durationMs }: RequestMeasurement): void =>
      series.requests.observe(
        [listener, knownMethods.has(method) ? method : '_OTHER', route, status, ...last],
        durationMs / 1000,
      ),
    store: (operation: string, durationMs: number, error?: unknown): void =>
      series.store.observe([operation, errorType(error), ...last], durationMs / 1000),
    /** `failure`: a code. Undefined: there was a response. */
    outbound: (purpose: string, durationMs: number, failure = ''): void =>
      series.outbound.observe([purpose, failure, ...last], durationMs / 1000),
    /** `failure`: a code of a closed list. Undefined: the call succeeded. */
    signer: ({ service, operation, durationMs, failure = '' }: SignerMeasurement): void =>
      series.signer.observe([service, operation, failure, ...last], durationMs / 1000),
    /** `result`: the state of the sign-in after the step. */
    signIn: (method: string, result: string): void => series.signIns.inc({ method, result, ...label }),
    directory: (name: string, step: string, durationMs: number, failed: boolean): void =>
      series.directory.observe([name, step, failed ? 'unavailable' : '', ...last], durationMs / 1000),
    userCache: (name: string, hit: boolean): void =>
      series.userCache.inc({ directory: name, result: hit ? 'hit' : 'miss', ...label }),
    audit: ({ action, outcome }: Pick<AuditEvent, 'action' | 'outcome'>): void =>
      series.audit.inc({ action, outcome, ...label }),
  };
};

interface MetricsOptions {
  /** Whether the metrics have the label `issuer`. */
  readonly byIssuer: boolean;
  readonly readings: () => Readings;
}

/** The metrics of this process, with those of all its issuers. */
export const openMetrics = ({ byIssuer, readings: read }: MetricsOptions) => {
  const series = createSeries(byIssuer);
  const labelOf = createIssuerLabels();
  const process = processRegistry();
  const snapshot = async (): Promise<MetricsSnapshot> => [
    ...(await process.getMetricsAsJSON()),
    ...(await series.snapshot()),
    ...snapshotOf(read()),
  ];
  /** The series of an issuer with a label of its own: what it may know of a process with others. */
  const snapshotOfIssuer = async (name: string): Promise<MetricsSnapshot> =>
    (await series.snapshot()).map((metric) => {
      const values = metric.values.filter(
        ({ labels }) => 'issuer' in labels && name !== others && labels.issuer === name,
      );
      return { ...metric, values };
    });
  return {
    snapshot,
    /** The metrics of one issuer; without a name, of the first one, which sees those of all. */
    of: (name = '') => ({
      ...createMeters(series, byIssuer ? labelOf(name) : undefined),
      snapshot: () => (byIssuer && name !== '' ? snapshotOfIssuer(name) : snapshot()),
    }),
  };
};

export type Metrics = ReturnType<ReturnType<typeof openMetrics>['of']>;
