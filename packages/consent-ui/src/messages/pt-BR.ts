import type { Messages } from './en.ts';
import { signInPages } from './sign-in/pt-BR.ts';
import { sitePages } from './site/pt-BR.ts';

export const ptBR = { ...sitePages, ...signInPages } satisfies Messages;
