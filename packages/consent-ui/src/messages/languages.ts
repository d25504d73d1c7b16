import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ptBR } from './pt-BR.ts';

/** The texts of every language, by its tag (BCP 47). */
export const messages = { en, de, fr, es, 'pt-BR': ptBR, ja, ar } as const satisfies Record<string, Messages>;

export type Language = keyof typeof messages;

/** The name of a language in that language, and the direction of its script. */
export const languages: Readonly<Record<Language, { readonly name: string; readonly direction: 'ltr' | 'rtl' }>> = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
};

export const allLanguages = Object.keys(languages) as [Language, ...Language[]];

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);
