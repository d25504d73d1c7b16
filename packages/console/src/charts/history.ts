import type { ConsoleServer } from '../server/console-server.ts';
import { between, type Totals, totalsIn } from './totals.ts';

/** Counters at a time in milliseconds since 1970. */
interface Sample {
  readonly at: number;
  readonly totals: Totals;
}

/** The counts of a span of time that ends at `at`. */
export interface Span {
  readonly at: number;
  readonly seconds: number;
  /** Undefined if nothing was measured. */
  readonly totals: Totals | undefined;
}

type Counted = Span & { readonly totals: Totals };

/** The metrics of the last 24 hours, in the memory of this process. */
export interface History {
  /** Reads the metrics now. @throws CarnetError if the server does not answer */
  sample(): Promise<void>;
  /** Reads the metrics now, unless that was done a few seconds ago. They count in `total`. @throws CarnetError as `sample` */
  refresh(): Promise<void>;
  /** The counts, oldest first: by minute at first, and by a quarter of an hour after two hours. */
  spans(): readonly Span[];
  /** The counts up to the latest reading. Undefined before the second one. */
  total(): Counted | undefined;
}

const minuteMs = 60_000;
/** All operators share a reading in this time. */
const freshMs = 4_000;
const keptMs = 24 * 60 * minuteMs;
const fineMs = 120 * minuteMs;
const coarseMs = 15 * minuteMs;

interface HistoryDependencies {
  readonly server: Pick<ConsoleServer, 'metrics'>;
  readonly logger: { warn(fields: object, message: string): void };
  readonly now: () => number;
  /** Ends the sampling. */
  readonly signal: AbortSignal | undefined;
}

const spanOf = (from: Sample, to: Sample): Counted => ({
  at: to.at,
  seconds: (to.at - from.at) / 1000,
  totals: between(from.totals, to.totals),
});

/** The samples that bound the spans. */
const boundsOf = (samples: readonly Sample[]): readonly Sample[] => {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at <= fineMs) return samples;
  return samples.filter((each, at) => {
    const previous = samples[at - 1];
    return previous === undefined || Math.floor(previous.at / coarseMs) !== Math.floor(each.at / coarseMs);
  });
};

/** Samples the metrics once a minute. The timer does not keep the process alive. */
export const openHistory = ({ server, logger, now, signal }: HistoryDependencies): History => {
  let samples: readonly Sample[] = [];
  let latest: Sample | undefined;
  let readAt = 0;
  const read = async (): Promise<Sample> => {
    readAt = now();
    latest = { at: readAt, totals: totalsIn(await server.metrics()) };
    return latest;
  };
  const sample = async (): Promise<void> => {
    const taken = await read();
    samples = [...samples.filter(({ at }) => now() - at <= keptMs), taken];
  };
  const repeat = (): void =>
    void sample().catch((err: unknown) => logger.warn({ err }, 'the console could not read the metrics'));
  if (signal?.aborted !== true) {
    repeat();
    const timer = setInterval(repeat, minuteMs).unref();
    signal?.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
  return {
    sample,
    refresh: async () => void (now() - readAt >= freshMs && (await read())),
    spans: () => {
      const bounds = boundsOf(samples);
      return bounds.slice(1).map((to, at) => spanOf(bounds[at] ?? to, to));
    },
    total: () => {
      const [first] = samples;
      return first === undefined || latest === undefined || first === latest ? undefined : spanOf(first, latest);
    },
  };
};
