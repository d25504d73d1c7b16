import { CarnetError } from '../errors.ts';
import { type Audit, audit as createAudit } from './audit.ts';
import { type Logger, lineWriterOf, type RequestToLog, requestLine } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { createOutageLines } from './outage-lines.ts';
import type { Tracing } from './tracing.ts';

export interface AnsweredRequest extends RequestToLog {
  /** The error that was thrown. */
  readonly error?: unknown;
}

interface RequestToTrace extends Pick<AnsweredRequest, 'method' | 'route'> {
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Logs, metrics, spans and audit records of one provider. */
export interface Telemetry {
  readonly metrics: Metrics;
  readonly audit: Audit;
  answered(listener: 'public' | 'admin', request: AnsweredRequest): void;
  /** Runs what answers a request in a span. */
  serve<T>(request: RequestToTrace, answer: () => Promise<T>, statusOf: (result: T) => number): Promise<T>;
  /** Runs a call of the store, measured, in a span. */
  store<T>(operation: string, call: () => Promise<T>): Promise<T>;
}

export interface TelemetryOptions {
  readonly logger: Logger;
  readonly tracing: Tracing;
  readonly metrics: Metrics;
}

const traceRequests =
  (tracing: Tracing): Telemetry['serve'] =>
  ({ method, route, headers }, answer, statusOf) =>
    tracing.span(
      {
        name: route === undefined ? method : `${method} ${route}`,
        kind: 'server',
        attributes: { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) },
        headers,
      },
      answer,
      (result) => ({ 'http.response.status_code': statusOf(result) }),
    );

export const createTelemetry = ({ logger, tracing, metrics }: TelemetryOptions): Telemetry => {
  const writeAudit = createAudit(logger);
  const writeLine = lineWriterOf(logger);
  const writeOutage = createOutageLines(logger);

  const measured = async <T>(operation: string, call: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    let failure: unknown;
    try {
      return await call();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      metrics.store(operation, performance.now() - startedAt, failure);
    }
  };

  return {
    metrics,
    audit: (event) => {
      metrics.audit(event);
      writeAudit(event);
    },
    answered: (listener, request) => {
      const { error } = request;
      if (error instanceof CarnetError && error.code === 'accounts_unavailable') writeOutage(error, request.requestId);
      else if (error !== undefined && request.status >= 500) {
        logger.error({ err: error, requestId: request.requestId }, 'request failed');
      }
      metrics.request(listener, request);
      writeLine('info', requestLine(request), 'request');
    },
    serve: tracing.isActive ? traceRequests(tracing) : (_request, answer) => answer(),
    store: tracing.isActive
      ? (operation, call) =>
          tracing.span(
            { name: `store ${operation}`, kind: 'client', attributes: { 'db.operation.name': operation } },
            () => measured(operation, call),
          )
      : measured,
  };
};
