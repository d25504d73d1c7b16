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

/** A time span such as `3 days`, in the largest unit that fits. */
export const duration = (seconds: number, language: Language): string => {
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? (['second', 1] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }).format(
    Math.trunc(seconds / size),
  );
};

export const formatNumber = (value: number, language: Language, options: Intl.NumberFormatOptions = {}): string =>
  new Intl.NumberFormat(language, options).format(value);
