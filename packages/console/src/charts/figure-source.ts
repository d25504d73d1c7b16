import type { History, Span } from './history.ts';
import { type Prometheus, PrometheusError, type Range } from './prometheus.ts';
import { addedTotals, type Totals } from './totals.ts';

/** The figures of a range. */
export interface Figures {
  /** Oldest first. */
  readonly spans: readonly Span[];
  /** All spans in one. Undefined without a span that was measured. */
  readonly total: { readonly seconds: number; readonly totals: Totals } | undefined;
  /** Why Prometheus has none: the figures are then those that this process has collected. */
  readonly problem?: string;
}

export interface FigureSource {
  /** The process knows one day. */
  readonly ranges: readonly Range[];
  read(range: Range): Promise<Figures>;
  /** The memory of all processes, in bytes. Undefined before it was measured, and for one of several issuers. */
  memory(): number | undefined;
}

interface FigureSourceDependencies {
  readonly history: Pick<History, 'refresh' | 'spans' | 'total'>;
  readonly prometheus?: Prometheus | undefined;
  readonly logger: { warn(fields: object, message: string): void };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Prometheus answers six queries for each reading: all operators share one in this time. */
const freshMs = 30_000;

const totalOf = (spans: readonly Span[]): Figures['total'] => {
  const measured = spans.flatMap(({ seconds, totals }) => (totals === undefined ? [] : [{ seconds, totals }]));
  if (measured.length === 0) return undefined;
  return {
    seconds: measured.reduce((sum, { seconds }) => sum + seconds, 0),
    totals: addedTotals(measured.map(({ totals }) => totals)),
  };
};

/** The figures of Prometheus, if it is configured and answers; otherwise those in the memory of this process. */
export const createFigureSource = ({ history, prometheus, logger, now }: FigureSourceDependencies): FigureSource => {
  const collected = (): Figures => ({ spans: history.spans(), total: history.total() });
  const readStored = async (stored: Prometheus, range: Range): Promise<Figures> => {
    try {
      const spans = await stored.spans(range);
      return { spans, total: totalOf(spans) };
    } catch (err) {
      logger.warn({ err }, 'Prometheus has no figures for the console');
      return { ...collected(), problem: err instanceof PrometheusError ? err.message : '' };
    }
  };
  const readings = new Map<Range, { readonly at: number; readonly figures: Promise<Figures> }>();
  return {
    ranges: prometheus === undefined ? ['day'] : ['day', 'week'],
    async read(range) {
      // A failure is logged once a minute, by the history.
      await history.refresh().catch(() => {});
      if (prometheus === undefined) return collected();
      const earlier = readings.get(range);
      if (earlier !== undefined && now() - earlier.at < freshMs) return earlier.figures;
      const figures = readStored(prometheus, range);
      readings.set(range, { at: now(), figures });
      return figures;
    },
    memory: () => history.total()?.totals.memory || undefined,
  };
};
