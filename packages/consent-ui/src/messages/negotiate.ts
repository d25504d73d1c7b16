import { isLanguage, type Language } from './languages.ts';

const primaryOf = (tag: string): string => tag.split('-', 1)[0] ?? '';

/** The next shorter range: the last subtag is removed, and a single letter before it (RFC 4647, section 3.4). */
const shortened = (range: string): string => range.replace(/(?:-[a-z\d])?-[a-z\d]+$/i, '');

const lookUp = (range: string, offered: readonly Language[]): Language | undefined => {
  for (let rest = range.toLowerCase(); ; ) {
    const exact = offered.find((language) => language.toLowerCase() === rest);
    if (exact) return exact;
    const next = shortened(rest);
    // Beyond the RFC: a reader of pt-PT is better served by pt-BR than by the default language.
    if (next === rest) return offered.find((language) => primaryOf(language) === rest);
    rest = next;
  }
};

const tagPattern = /^[a-z]{2,8}(?:-[a-z\d]{1,8}){0,8}$/i;
const maximumRanges = 20;

/** The first of the ranges that one of the offered languages matches (RFC 4647, section 3.4). */
export const negotiate = (ranges: readonly string[], offered: readonly Language[]): Language | undefined =>
  ranges
    .slice(0, maximumRanges)
    .filter((range) => tagPattern.test(range))
    .map((range) => lookUp(range, offered))
    .find((language) => language !== undefined);

/** The ranges of an Accept-Language header, best first (RFC 9110, section 12.5.4). */
export const acceptedRanges = (header: string | null): readonly string[] =>
  (header ?? '')
    .split(',', maximumRanges)
    .map((item) => {
      const [range = '', ...parameters] = item.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { range, quality: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((left, right) => right.quality - left.quality)
    .map(({ range }) => range);

/** The language that the user chose on a page, and the one that the client asked for at that time. */
interface Choice {
  readonly chosen: Language;
  readonly over: Language | undefined;
}

/** Reads the value of the language cookie: `de`, or `de.fr` if the client asked for French. */
export const parseChoice = (value: string | undefined): Choice | undefined => {
  const [chosen = '', over = ''] = (value ?? '').split('.');
  return isLanguage(chosen) ? { chosen, over: isLanguage(over) ? over : undefined } : undefined;
};

export const formatChoice = ({ chosen, over }: Choice): string => (over ? `${chosen}.${over}` : chosen);

export interface LanguageSources {
  /** From the button that the user clicked. */
  readonly clicked: Language | undefined;
  /** From `ui_locales` (OpenID Connect Core, section 3.1.2.1). */
  readonly requested: Language | undefined;
  readonly choice: Choice | undefined;
  readonly accepted: Language | undefined;
}

/**
 * The language of a page. A client that asks for another language than before overrides the user's earlier choice: the
 * user may have changed the language there.
 */
export const preferred = ({ clicked, requested, choice, accepted }: LanguageSources): Language | undefined => {
  const isStillChosen = choice !== undefined && choice.over === requested;
  return clicked ?? (isStillChosen ? choice.chosen : undefined) ?? requested ?? choice?.chosen ?? accepted;
};
