import type { Context } from 'hono';
import { detectFromCookie, detectFromHeader } from 'hono/language';
import { allLanguages, isLanguage, type Language } from './languages.ts';

/** The name of the cookie with the language that the operator has chosen. */
export const languageCookie = 'carnet-console-language';

const options: Parameters<typeof detectFromHeader>[1] = {
  order: ['cookie', 'header'],
  lookupQueryString: '',
  lookupFromPathIndex: 0,
  lookupCookie: languageCookie,
  lookupFromHeaderKey: 'accept-language',
  caches: false,
  ignoreCase: true,
  fallbackLanguage: 'en',
  supportedLanguages: allLanguages,
  // A reader of pt-PT is better served by pt-BR than by English.
  convertDetectedLanguage: (tag) => (/^pt(?:-|$)/i.test(tag) ? 'pt-BR' : tag),
};

/** The language that was chosen, or else the best of `Accept-Language`. */
export const languageOf = (context: Context): Language => {
  const found = detectFromCookie(context, options) ?? detectFromHeader(context, options) ?? 'en';
  return isLanguage(found) ? found : 'en';
};
