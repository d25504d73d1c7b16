import { ar } from './texts/ar.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ja } from './texts/ja.ts';
import type { MailTexts } from './texts/mail-texts.ts';
import { ptBr } from './texts/pt-br.ts';

/** The mails by language tag. */
export const mailLanguages: Readonly<Record<string, MailTexts>> = { en, de, fr, es, 'pt-BR': ptBr, ja, ar };

const byLowerCase = new Map(Object.keys(mailLanguages).map((tag) => [tag.toLowerCase(), tag]));

/** The first language that matches a requested tag, by lookup (RFC 4647, section 3.4); `pt` gets `pt-BR`. Default `en`. */
export const mailLanguageOf = (requested: string | undefined): string => {
  const parts = (requested ?? '').toLowerCase().split('-');
  for (let length = parts.length; length > 0; length--) {
    const range = parts.slice(0, length).join('-');
    const tag = byLowerCase.get(range) ?? byLowerCase.get(range === 'pt' ? 'pt-br' : range);
    if (tag !== undefined) return tag;
  }
  return 'en';
};
