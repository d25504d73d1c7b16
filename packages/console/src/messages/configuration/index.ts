import type { Language } from '../languages.ts';
import { type ConfigurationMessages, en } from './en.ts';

export const configurationMessages = (_: Language): ConfigurationMessages => en;
