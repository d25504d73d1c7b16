import type { Language } from '../languages.ts';
import { en, type KeysMessages } from './en.ts';

export const keysMessages = (_: Language): KeysMessages => en;
