import { parse } from 'bowser';
import type { Language } from '../../messages/languages.ts';
import { sessionsMessages } from '../../messages/sessions/index.ts';
import { type Html, html } from '../../page/html.ts';

/** Words for a value, and the value itself for those who look closer. Works without a script and without a mouse. */
const explained = (words: string, value: string): Html =>
  html`<details><summary>${words}</summary><code>${value}</code></details>`;

/** The browser and the system of a User-Agent, such as `Firefox 144, Windows`. */
export const browserOf = (userAgent: string | undefined): Html => {
  if (!userAgent) return html``;
  const { browser, os } = parse(userAgent);
  const version = browser.version?.split('.')[0];
  const names = [[browser.name, version].filter(Boolean).join(' '), os.name].filter(Boolean);
  return browser.name || os.name ? explained(names.join(', '), userAgent) : html`<code>${userAgent}</code>`;
};

/** The values that say no more than others: a passkey proves a key and the presence of the user, and a level counts the factors. */
const isImplied = (value: string, acr: string, amr: readonly string[]): boolean =>
  value === 'mfa'
    ? acr === 'urn:carnet:2fa' || acr === 'phr'
    : ['pop', 'user'].includes(value) && amr.some((each) => each === 'swk' || each === 'hwk');

/** How the user was authenticated: `acr` and `amr` in words. A value without a word is shown as it is. */
export const authenticationOf = (
  { acr, amr = [] }: { readonly acr?: string | undefined; readonly amr?: readonly string[] | undefined },
  language: Language,
): Html => {
  const { levels, methods } = sessionsMessages(language);
  const wordsOf = (words: Readonly<Record<string, string>>, value: string): string =>
    Object.hasOwn(words, value) ? (words[value] ?? value) : value;
  const telling = amr.filter((each) => !isImplied(each, acr ?? '', amr));
  const named = [...(acr ? [wordsOf(levels, acr)] : []), ...telling.map((each) => wordsOf(methods, each))];
  const values = [...(acr ? [acr] : []), ...amr].join(' ');
  return values === '' ? html`` : explained(named.join(', '), values);
};
