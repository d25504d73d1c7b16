import type { Language } from '../messages/languages.ts';
import { type Html, html } from './html.ts';

/** A formatter takes longer to create than a row of a table: one for each language. */
const formatters = new Map<Language, Intl.DateTimeFormat>();

const formatterOf = (language: Language): Intl.DateTimeFormat => {
  const options = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' } as const;
  const formatter = formatters.get(language) ?? new Intl.DateTimeFormat(language, options);
  formatters.set(language, formatter);
  return formatter;
};

/** The instant in UTC, which colleagues in other time zones read the same way. */
export const dateTime = (value: Date | string | number, language: Language): Html => {
  const date = new Date(value);
  return html`<time datetime="${date.toISOString()}">${formatterOf(language).format(date)} UTC</time>`;
};

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

const numberFormatters = new Map<string, Intl.NumberFormat>();

/** With a formatter for each language and its options, which are those of the callers: the overview has a thousand numbers. */
export const formatNumber = (value: number, language: Language, options: Intl.NumberFormatOptions = {}): string => {
  const key = JSON.stringify([language, options]);
  const formatter = numberFormatters.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormatters.set(key, formatter);
  return formatter.format(value);
};

const amount = (count: number, unit: (typeof units)[number][0], language: Language): string =>
  formatNumber(count, language, { style: 'unit', unit, unitDisplay: 'long' });

/** From so many of a unit on, the next smaller one is of no interest. */
const manyOf = 10;

/**
 * A time span such as `1 hour, 30 minutes` or `42 days`: the largest unit that fits, and the next one if that is not zero. Not by
 * `Intl.DurationFormat`, which Node 22 does not have.
 */
export const duration = (seconds: number, language: Language): string => {
  const fits = units.findIndex(([, each]) => Math.abs(seconds) >= each);
  const [unit, size] = units[fits] ?? (['second', 1] as const);
  const count = Math.trunc(seconds / size);
  const [smaller, smallerSize] = units[fits + 1] ?? (['second', 1] as const);
  const rest = unit === smaller ? 0 : Math.trunc((seconds - count * size) / smallerSize);
  const parts = [amount(count, unit, language)];
  if (rest > 0 && count < manyOf) parts.push(amount(rest, smaller, language));
  return new Intl.ListFormat(language, { type: 'unit' }).format(parts);
};
