interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

/** One combination of labels. */
interface Series {
  readonly labels: Readonly<Record<string, string | number>>;
  /** Observations by bucket. The last bucket is above all bounds. */
  readonly counts: number[];
  sum: number;
}

const snapshotOf = ({ name, buckets }: HistogramOptions, { labels, counts, sum }: Series) => {
  let count = 0;
  const values = [...buckets, '+Inf'].map((le, index) => {
    count += counts[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...values,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
};

/** prom-client's hashes an object of labels for every observation, which costs more than a small request should. */
export const createHistogram = (options: HistogramOptions) => {
  const { name, help, labelNames, buckets } = options;
  const known = new Map<string, Series>();

  const open = (key: string, values: readonly (string | number)[]): Series => {
    const series = {
      labels: Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? ''])),
      counts: new Array<number>(buckets.length + 1).fill(0),
      sum: 0,
    };
    known.set(key, series);
    return series;
  };

  return {
    /**
     * Law: `values` come from closed lists, because each combination is kept for ever.
     *
     * @param values in the order of the label names
     */
    observe: (values: readonly (string | number)[], value: number): void => {
      const key = values.join(' ');
      const series = known.get(key) ?? open(key, values);
      const index = buckets.findIndex((bound) => value <= bound);
      const bucket = index < 0 ? buckets.length : index;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += value;
    },
    /** The histogram in the form in which prom-client aggregates those of several processes. */
    snapshot: () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...known.values()].flatMap((series) => snapshotOf(options, series)),
    }),
  };
};
