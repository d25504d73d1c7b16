import { cookieValues } from '../http/cookies.ts';
import type { Messages } from '../messages/en.ts';
import { isLanguage, type Language, languages, messages } from '../messages/languages.ts';
import { acceptedRanges, formatChoice, negotiate, parseChoice, preferred } from '../messages/negotiate.ts';
import type { Ui } from './ui.ts';

/** The language and the look of one page. */
export interface View extends Ui {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  readonly text: Messages;
  /** The URL of the page, to which the language buttons lead. */
  readonly url: URL;
  /** The Set-Cookie value that keeps a language that the user has just chosen. */
  readonly cookie: string | undefined;
}

/** The members of a request of the provider that name languages. */
export interface Localized {
  readonly oidc_context?: { readonly ui_locales?: readonly string[] | null | undefined } | null | undefined;
  readonly request_url?: string | null | undefined;
}

const cookieName = 'carnet_language';
const maxAgeSeconds = 365 * 86_400;

const languageCookie = (ui: Ui, value: string): string =>
  `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${ui.secureCookies ? '; Secure' : ''}`;

const localesIn = (url: URL): readonly string[] => (url.searchParams.get('ui_locales') ?? '').split(' ');

/** The languages that the client asks for. Logout requests have them in `request_url` only. */
const requestedLocales = (page: URL, { oidc_context: context, request_url: url }: Localized): readonly string[] => [
  ...localesIn(page),
  ...(context?.ui_locales ?? (url && URL.canParse(url) ? localesIn(new URL(url)) : [])),
];

/** The view of a page: in the language of `ui_locales`, the language cookie, Accept-Language, or the default. */
export const viewOf = ({ ui }: { readonly ui: Ui }, request: Request, asked: Localized = {}): View => {
  const url = new URL(request.url);
  const button = url.searchParams.get('language') ?? '';
  const clicked = isLanguage(button) && ui.languages.includes(button) ? button : undefined;
  const requested = negotiate(requestedLocales(url, asked), ui.languages);
  const choice = parseChoice(cookieValues(request, cookieName)[0]);
  const accepted = negotiate(acceptedRanges(request.headers.get('accept-language')), ui.languages);
  const wanted = preferred({ clicked, requested, choice, accepted });
  const language = wanted && ui.languages.includes(wanted) ? wanted : ui.languages[0];
  return {
    ...ui,
    language,
    direction: languages[language].direction,
    text: messages[language],
    url,
    cookie: clicked && languageCookie(ui, formatChoice({ chosen: clicked, over: requested })),
  };
};
