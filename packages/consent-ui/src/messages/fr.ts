import { accountPages } from './account/fr.ts';
import type { Messages } from './en.ts';
import { factorPages } from './factors/fr.ts';
import { providerPages } from './providers/fr.ts';
import { signInPages } from './sign-in/fr.ts';
import { signUpPages } from './sign-up/fr.ts';
import { sitePages } from './site/fr.ts';

export const fr = {
  ...sitePages,
  ...signInPages,
  ...signUpPages,
  ...factorPages,
  ...accountPages,
  ...providerPages,
} satisfies Messages;
