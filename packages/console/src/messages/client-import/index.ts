import { textsOf } from '../languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ptBR } from './pt-BR.ts';

export const clientImportMessages = textsOf({ en, de, fr, es, 'pt-BR': ptBR, ja, ar });
