import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';
import type { Language } from '../messages/languages.ts';
import { type Html, html } from '../page/html.ts';

export interface Series {
  readonly label: string;
  /** A value for each time; undefined where there is no value. */
  readonly values: readonly (number | undefined)[];
}

export interface LineChart {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  /** At most two. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly language: Language;
}

/** Longer pictures name the days. */
const longMs = 2 * 86_400_000;

/** Two figures are next to each other on a wide page, at about this size. */
const size = { width: 480, height: 180, left: 56, right: 28, top: 8, bottom: 24 };

const isKnown = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);

/** Axes and lines as SVG. Its colors are those of the style sheet, and its values are also in the table below it. */
export const lineChart = ({ title, times, series, format, language }: LineChart): Html => {
  const { width, height, left, right, top, bottom } = size;
  const x = scaleUtc([Math.min(...times), Math.max(...times)], [left, width - right]);
  const most = Math.max(0, ...series.flatMap(({ values }) => values.filter(isKnown)));
  const y = scaleLinear([0, most || 1], [height - bottom, top]).nice(4);
  const isLong = Math.max(...times) - Math.min(...times) > longMs;
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const calendar = { day: 'numeric', month: 'short' } as const;
  const time = new Intl.DateTimeFormat(language, { ...(isLong ? calendar : clock), timeZone: 'UTC' });
  // Without a value above 0, the scale is arbitrary.
  const yTicks = most === 0 ? [0] : y.ticks(4);
  // A picture of a few minutes has several ticks in a minute.
  const instants = x.ticks(4).map((tick) => ({ at: x(tick), label: time.format(tick) }));
  const xTicks = instants.filter(({ label }, index) => label !== instants[index - 1]?.label);
  const pathsOf = ({ values }: Series, at: number): Html => {
    const points = times.map((each, index) => [each, values[index]] as const);
    const isDrawn = (point: readonly [number, number | undefined]): boolean => isKnown(point[1]);
    const xOf = (point: readonly [number, number | undefined]): number => x(point[0]);
    const yOf = (point: readonly [number, number | undefined]): number => y(point[1] ?? 0);
    const filled = area<readonly [number, number | undefined]>(xOf, y(0), yOf).defined(isDrawn).curve(curveStepBefore);
    const drawn = line<readonly [number, number | undefined]>(xOf, yOf).defined(isDrawn).curve(curveStepBefore);
    return html`<path class="area series-${at}" d="${filled(points) ?? ''}"/><path class="line series-${at}" d="${drawn(points) ?? ''}"/>`;
  };
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
${yTicks.map((tick) => html`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${left - 6}" y="${y(tick) + 4}" text-anchor="end">${format(tick)}</text>`)}
${xTicks.map(({ at, label }) => html`<text x="${at}" y="${height - 6}" text-anchor="middle">${label}</text>`)}
${series.map(pathsOf)}
</svg>`;
};

/** The names of the series, with their colors. */
export const legend = (series: readonly Pick<Series, 'label'>[]): Html =>
  html`<ul class="legend">${series.map(({ label }, at) => html`<li><span class="key series-${at}"></span>${label}</li>`)}</ul>`;

/** Bars with their names and values, which are readable without the bars. */
export const bars = (title: string, values: readonly (readonly [name: string, value: number])[]): Html => {
  const most = Math.max(1, ...values.map(([, value]) => value));
  return html`<table class="bars"><caption>${title}</caption><tbody>${values.map(
    ([name, value]) =>
      html`<tr><th scope="row">${name}</th><td><meter min="0" max="${most}" value="${value}">${value}</meter> ${value}</td></tr>`,
  )}</tbody></table>`;
};
