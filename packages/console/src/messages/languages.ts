/** The languages of the console, by tag (BCP 47), with their names in that language and the direction of the script. */
export const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const;

export type Language = keyof typeof languages;

export const allLanguages = Object.keys(languages) as [Language, ...Language[]];

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The texts of a page, by language. Every language has all of them. */
export const textsOf =
  <Texts>(all: Readonly<Record<Language, Texts>>) =>
  (language: Language): Texts =>
    all[language];
