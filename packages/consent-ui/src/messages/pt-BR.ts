import { accountPages } from './account/pt-BR.ts';
import type { Messages } from './en.ts';
import { factorPages } from './factors/pt-BR.ts';
import { providerPages } from './providers/pt-BR.ts';
import { signInPages } from './sign-in/pt-BR.ts';
import { signUpPages } from './sign-up/pt-BR.ts';
import { sitePages } from './site/pt-BR.ts';

export const ptBR = {
  ...sitePages,
  ...signInPages,
  ...signUpPages,
  ...factorPages,
  ...accountPages,
  ...providerPages,
} satisfies Messages;
