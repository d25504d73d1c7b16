import type { Language } from '../messages/languages.ts';

/** A date in the language of the page. */
export const dateText = (language: Language, date: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);

/** A date in words. */
export const dayText = (language: Language, date: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);

/** A date and a time of day. The server does not know the time zone of the user. */
export const timeText = (language: Language, iso: string): string => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(iso))} UTC`;
};
