import type { Language } from '../languages.ts';
import { type CommonMessages, en } from './en.ts';

/** Part p adds the other languages. */
const all: Partial<Record<Language, CommonMessages>> & { readonly en: CommonMessages } = { en };

export const commonMessages = (language: Language): CommonMessages => all[language] ?? all.en;
