import type { Language } from '../messages/languages.ts';
import { type Html, html } from './html.ts';

/** The instant in UTC, which colleagues in other time zones read the same way. */
export const dateTime = (value: Date | string | number, language: Language): Html => {
  const date = new Date(value);
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  return html`<time datetime="${date.toISOString()}">${text.format(date)} UTC</time>`;
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
