import type { FigureSource, Figures } from '../../charts/figure-source.ts';
import type { Span } from '../../charts/history.ts';
import { bars, legend, lineChart, type Series } from '../../charts/line-chart.ts';
import { type Range, rangeSeconds } from '../../charts/prometheus.ts';
import { p95, type Totals } from '../../charts/totals.ts';
import { fill } from '../../messages/fill.ts';
import type { Language } from '../../messages/languages.ts';
import { overviewMessages } from '../../messages/overview/index.ts';
import { dateTime, duration, formatNumber } from '../../page/dates.ts';
import { type Html, html } from '../../page/html.ts';
import type { PageContext } from '../../page/route.ts';
import { table } from '../../page/table.ts';

const rate = ({ errors, requests }: Totals): number | undefined => (requests === 0 ? undefined : errors / requests);

interface Figure {
  readonly title: string;
  readonly series: readonly { readonly label: string; readonly of: (totals: Totals) => number | undefined }[];
  readonly format: (value: number) => string;
}

const figuresOf = (language: Language): readonly Figure[] => {
  const texts = overviewMessages(language);
  const count = (value: number): string => formatNumber(value, language);
  return [
    {
      title: `${texts.logins}, ${texts.refusals}`,
      series: [
        { label: texts.logins, of: ({ logins }) => logins },
        { label: texts.refusals, of: ({ refusals }) => refusals },
      ],
      format: count,
    },
    {
      title: texts.p95,
      series: [{ label: texts.p95, of: p95 }],
      format: (seconds) =>
        fill(texts.milliseconds, { value: formatNumber(seconds * 1000, language, { maximumFractionDigits: 1 }) }),
    },
    {
      title: texts.errors,
      series: [{ label: texts.errors, of: rate }],
      format: (value) => formatNumber(value, language, { style: 'percent', maximumFractionDigits: 2 }),
    },
  ];
};

const figure = ({ title, series, format }: Figure, spans: readonly Span[], language: Language): Html => {
  const texts = overviewMessages(language);
  const measured = spans.map(({ at, totals }) => ({ at, values: series.map(({ of }) => totals && of(totals)) }));
  const drawn: readonly Series[] = series.map(({ label }, index) => ({
    label,
    values: measured.map(({ values }) => values[index]),
  }));
  const shown = (value: number | undefined): string => (value === undefined ? '–' : format(value));
  const rows = measured.toReversed().map(({ at, values }) => [dateTime(at, language), ...values.map(shown)]);
  return html`<figure><figcaption>${title}</figcaption>
${drawn.length > 1 ? legend(drawn) : ''}${lineChart({ title, times: spans.map(({ at }) => at), series: drawn, format, language })}
<details><summary>${texts.asTable}</summary>${table({ caption: title, columns: [texts.time, ...series.map(({ label }) => label)], rows, empty: '' })}</details>
</figure>`;
};

const quarterSeconds = 900;

/** To a quarter of an hour: the first sample is up to a minute younger than a day. */
const roundedSeconds = (seconds: number): number =>
  seconds < quarterSeconds ? seconds : Math.round(seconds / quarterSeconds) * quarterSeconds;

/** Links to the pictures of the other ranges. */
const rangesOf = (
  ranges: FigureSource['ranges'],
  range: Range,
  { language, link }: Pick<PageContext, 'language' | 'link'>,
) => {
  if (ranges.length < 2) return '';
  return html`<nav aria-label="${overviewMessages(language).range}"><ul>${ranges.map(
    (each) =>
      html`<li><a href="${link('/', { range: each })}"${each === range ? html` aria-current="true"` : ''}>${duration(rangeSeconds[each], language)}</a></li>`,
  )}</ul></nav>`;
};

const picturesOf = ({ spans, total }: Figures, language: Language): Html => {
  const texts = overviewMessages(language);
  if (total === undefined || spans.length === 0) return html`<p>${texts.collecting}</p>`;
  const names: Readonly<Record<string, string>> = texts.methodNames;
  const methods = Object.entries(total.totals.methods)
    .map(([method, count]) => [names[method] ?? method, count] as const)
    .toSorted(([, left], [, right]) => right - left);
  return html`<h2>${fill(texts.since, { hours: duration(roundedSeconds(total.seconds), language) })}</h2>
<div class="figures">${figuresOf(language).map((each) => figure(each, spans, language))}
${methods.length === 0 ? '' : bars(texts.methods, methods)}</div>`;
};

/** The range that the URL names. */
const rangeIn = ({ query }: Pick<PageContext, 'query'>, { ranges }: FigureSource): Range =>
  ranges.find((each) => each === query.get('range')) ?? 'day';

/** The pictures of a range, each with a table of its values. */
export const figures = async (
  source: FigureSource,
  context: Pick<PageContext, 'query' | 'language' | 'link'>,
): Promise<Html> => {
  const { language } = context;
  const range = rangeIn(context, source);
  const found = await source.read(range);
  const { problem } = found;
  const note =
    problem === undefined
      ? ''
      : html`<p role="status">${fill(overviewMessages(language).noPrometheus, { problem })}</p>`;
  return html`${rangesOf(source.ranges, range, context)}${note}${picturesOf(found, language)}`;
};
