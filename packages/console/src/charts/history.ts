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
  /** The counts, oldest first: by minute at first, and by a quarter of an hour after two hours. */
  spans(): readonly Span[];
  /** All spans in one. Undefined before the second sample. */
  total(): Counted | undefined;
}

const minuteMs = 60_000;
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
  const sample = async (): Promise<void> => {
    const totals = totalsIn(await server.metrics());
    samples = [...samples.filter(({ at }) => now() - at <= keptMs), { at: now(), totals }];
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
    spans: () => {
      const bounds = boundsOf(samples);
      return bounds.slice(1).map((to, at) => spanOf(bounds[at] ?? to, to));
    },
    total: () => {
      const [first] = samples;
      const last = samples.at(-1);
      return first === undefined || last === undefined || first === last ? undefined : spanOf(first, last);
    },
  };
};
