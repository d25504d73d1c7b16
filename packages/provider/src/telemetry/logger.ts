import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { LogConfig } from './config.ts';
import { redactRecord, scrubText } from './redact.ts';

/** What the rest of Carnet logs with; `pino` fits. Without `child`, whose bindings pino would write unmasked. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/**
 * JSON lines on stdout, or wherever `destination` leads.
 *
 * No secret reaches a line by two nets: members are masked by name before they are written out, and the finished line
 * loses the query of every URL and the credentials inside any.
 */
export const createLogger = (config: LogConfig, destination?: DestinationStream): Logger =>
  pino(
    {
      level: config.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactRecord },
      // `redactRecord` has described errors already; pino's own serializer would describe the description.
      serializers: { err: (described) => described },
      hooks: { streamWrite: scrubText },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );

export interface RequestLine {
  readonly method: string;
  /** The route's pattern, or the path. What follows a `?` is dropped. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

/** What is logged of a request: no query, no header, no body. */
export const requestLine = ({ method, route, status, durationMs, requestId }: RequestLine): RequestLine => ({
  method,
  route: route.split(/[?#]/, 1)[0] ?? '',
  status,
  durationMs: Math.round(durationMs * 10) / 10,
  requestId,
});
