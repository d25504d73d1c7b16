import type { History, Span } from '../../charts/history.ts';
import { bars, legend, lineChart, type Series } from '../../charts/line-chart.ts';
import { p95 } from '../../charts/totals.ts';
import { fill } from '../../messages/fill.ts';
import type { Language } from '../../messages/languages.ts';
import { overviewMessages } from '../../messages/overview/index.ts';
import { dateTime, duration, formatNumber } from '../../page/dates.ts';
import { type Html, html } from '../../page/html.ts';
import { table } from '../../page/table.ts';

const rate = ({ totals: { errors, requests } }: Span): number | undefined =>
  requests === 0 ? undefined : errors / requests;

interface Figure {
  readonly title: string;
  readonly series: readonly { readonly label: string; readonly of: (span: Span) => number | undefined }[];
  readonly format: (value: number) => string;
}

const figuresOf = (language: Language): readonly Figure[] => {
  const texts = overviewMessages(language);
  const count = (value: number): string => formatNumber(value, language);
  return [
    {
      title: `${texts.logins}, ${texts.refusals}`,
      series: [
        { label: texts.logins, of: ({ totals }) => totals.logins },
        { label: texts.refusals, of: ({ totals }) => totals.refusals },
      ],
      format: count,
    },
    {
      title: texts.p95,
      series: [{ label: texts.p95, of: ({ totals }) => p95(totals) }],
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
  const drawn: readonly Series[] = series.map(({ label, of }) => ({ label, values: spans.map(of) }));
  const shown = (value: number | undefined): string => (value === undefined ? '–' : format(value));
  const rows = spans
    .toReversed()
    .map((span) => [dateTime(span.at, language), ...series.map(({ of }) => shown(of(span)))]);
  return html`<figure><figcaption>${title}</figcaption>
${drawn.length > 1 ? legend(drawn) : ''}${lineChart({ title, times: spans.map(({ at }) => at), series: drawn, format, language })}
<details><summary>${texts.asTable}</summary>${table({ caption: title, columns: [texts.time, ...series.map(({ label }) => label)], rows, empty: '' })}</details>
</figure>`;
};

const quarterSeconds = 900;

/** To a quarter of an hour: the first sample is up to a minute younger than a day. */
const roundedSeconds = (seconds: number): number =>
  seconds < quarterSeconds ? seconds : Math.round(seconds / quarterSeconds) * quarterSeconds;

/** The pictures of the last 24 hours, each with a table of its values. */
export const figures = (history: History, language: Language): Html => {
  const texts = overviewMessages(language);
  const spans = history.spans();
  const total = history.total();
  if (total === undefined || spans.length === 0) return html`<p>${texts.collecting}</p>`;
  const methods = Object.entries(total.totals.methods).toSorted(([, left], [, right]) => right - left);
  return html`<h2>${fill(texts.since, { hours: duration(roundedSeconds(total.seconds), language) })}</h2>
<div class="figures">${figuresOf(language).map((each) => figure(each, spans, language))}</div>
${methods.length === 0 ? '' : bars(texts.methods, methods)}`;
};
