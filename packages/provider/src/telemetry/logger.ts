import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { LogConfig } from './config.ts';
import { gatherLines } from './gather-lines.ts';
import { redactRecord, scrubText } from './redact.ts';

/** Writes a line of a closed form: `record` has no member with a secret's name at any depth, and no error. */
export type WriteLine = (level: 'info' | 'warn', record: object, message: string) => void;

/**
 * The logger of Carnet; a `pino` logger is accepted. It has no `child`, because pino would not mask the bindings of a
 * child.
 */
export interface Logger extends Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> {
  /**
   * Present in loggers that Carnet creates: writes the same line as `info` or `warn`, faster, for lines of every
   * request.
   */
  readonly writeLine?: WriteLine;
}

/** Writes lines of a closed form to a logger: the fast way, if Carnet created it. */
export const lineWriterOf = (logger: Pick<Logger, 'info' | 'warn' | 'writeLine'>): WriteLine =>
  logger.writeLine ?? ((level, record, message) => logger[level](record, message));

/** The same logger for one of several issuers: each line has its name. */
export const loggerOfIssuer = (logger: Logger, issuer: string | undefined): Logger => {
  if (issuer === undefined) return logger;
  const writeLine = lineWriterOf(logger);
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error' | 'fatal') =>
    (first: unknown, ...rest: readonly unknown[]): void => {
      const record = first instanceof Error ? { err: first } : first;
      const args =
        typeof record === 'string' ? [{ issuer }, record, ...rest] : [{ issuer, ...Object(record) }, ...rest];
      Reflect.apply(logger[level], logger, args);
    };
  return {
    ...{ debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') },
    writeLine: (level, record, message) => writeLine(level, { issuer, ...record }, message),
  };
};

let stdout: DestinationStream | undefined;

/** One for the process, however many loggers it has. */
const openStdout = (): DestinationStream => {
  stdout ??= gatherLines(pino.destination({ dest: 1, sync: true }));
  return stdout;
};

let time = 0;
let isoTime = '';

const isoTimeOf = (now: number): string => {
  if (now !== time) {
    time = now;
    isoTime = new Date(now).toISOString();
  }
  return isoTime;
};

/**
 * Lines with fixed members need no masking by name. Masking by value still applies: a client or a user may choose the
 * value of a member (a subject, a client id).
 */
const createWriteLine =
  (logger: Pick<PinoLogger, 'isLevelEnabled'>, destination: DestinationStream): WriteLine =>
  (level, record, message) => {
    if (!logger.isLevelEnabled(level)) return;
    const members = JSON.stringify(record).slice(1, -1);
    const line = `{"level":"${level}","time":"${isoTimeOf(Date.now())}",${members},"msg":"${message}"}\n`;
    destination.write(scrubText(line));
  };

/**
 * Writes JSON lines to stdout or to `destination`.
 *
 * Secrets are removed twice: members are masked by name, and the finished line loses the query of every URL and the credentials
 * inside any.
 */
export const createLogger = (config: LogConfig, destination: DestinationStream = openStdout()): Logger => {
  const logger = pino(
    {
      level: config.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactRecord },
      // `redactRecord` has described errors already; pino's own serializer would describe the description.
      serializers: { err: (described) => described },
      hooks: { streamWrite: scrubText },
    },
    destination,
  );
  return Object.assign(logger, { writeLine: createWriteLine(logger, destination) });
};

export interface RequestLine {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  /** Warnings for the operator. Absent where there are none. */
  readonly warnings?: readonly string[] | undefined;
}

/** An answered request. */
export interface RequestToLog extends Omit<RequestLine, 'route'> {
  /** The route's pattern; undefined if there was none. What follows a `?` is dropped. */
  readonly route: string | undefined;
}

/** The logged members of a request: no query, no header, no body. */
export const requestLine = (request: RequestToLog): RequestLine => {
  const { method, route = '(unknown)', status, durationMs, requestId, warnings } = request;
  const end = route.search(/[?#]/);
  return {
    method,
    route: end < 0 ? route : route.slice(0, end),
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    requestId,
    warnings: warnings?.length === 0 ? undefined : warnings,
  };
};
