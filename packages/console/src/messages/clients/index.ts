import type { Language } from '../languages.ts';
import { type ClientsMessages, en } from './en.ts';

export const clientsMessages = (_: Language): ClientsMessages => en;
