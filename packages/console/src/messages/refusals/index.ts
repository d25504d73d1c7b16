import { textsOf } from '../languages.ts';
import { en } from './en.ts';

export const refusalsMessages = textsOf({ en, de: en, fr: en, es: en, 'pt-BR': en, ja: en, ar: en });
