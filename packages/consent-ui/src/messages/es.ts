import { accountPages } from './account/es.ts';
import type { Messages } from './en.ts';
import { factorPages } from './factors/es.ts';
import { providerPages } from './providers/es.ts';
import { signInPages } from './sign-in/es.ts';
import { signUpPages } from './sign-up/es.ts';
import { sitePages } from './site/es.ts';

export const es = {
  ...sitePages,
  ...signInPages,
  ...signUpPages,
  ...factorPages,
  ...accountPages,
  ...providerPages,
} satisfies Messages;
